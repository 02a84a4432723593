package verbatim

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
)

// Reason returns why a request got no answer, in words for people: the cause without
// wrapping errors and without the address, which the caller knows.
func Reason(err error) string {
	var asking *url.Error
	if errors.As(err, &asking) {
		if asking.Timeout() {
			return "there was no answer in time"
		}
		err = asking.Err
	}
	var system *os.SyscallError
	var layer *net.OpError
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return "there was no answer in time"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was closed before the answer was whole"
	case errors.As(err, &system):
		return system.Err.Error()
	case errors.As(err, &layer):
		return layer.Err.Error()
	}
	return strings.TrimPrefix(err.Error(), "net/http: ")
}
