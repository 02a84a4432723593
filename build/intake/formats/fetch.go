package formats

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// The limits on what one import downloads.
const (
	mostPictures  = 5000
	mostRedirects = 5
	fetchTime     = 20 * time.Second
)

// A fetcher downloads pictures. It never reaches addresses that are not public.
type fetcher struct {
	client *http.Client
	left   int
}

func newFetcher(allowed func(netip.Addr) bool) *fetcher {
	dialer := &net.Dialer{Timeout: fetchTime, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !allowed(at.Addr().Unmap()) {
			return fmt.Errorf("%s is not a public address", address)
		}
		return nil
	}}
	return &fetcher{left: mostPictures, client: &http.Client{
		Timeout:   fetchTime,
		Transport: &http.Transport{DialContext: dialer.DialContext, TLSHandshakeTimeout: fetchTime},
		CheckRedirect: func(_ *http.Request, before []*http.Request) error {
			if len(before) > mostRedirects {
				return errors.New("it redirects too often")
			}
			return nil
		},
	}}
}

// reserved are ranges that are global unicast addresses and still not public.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2002::/16"),
}

// isPublic reports whether an address is one of the public internet.
func isPublic(a netip.Addr) bool {
	for _, p := range reserved {
		if p.Contains(a) {
			return false
		}
	}
	return a.IsGlobalUnicast() && !a.IsPrivate()
}

func (f *fetcher) get(ctx context.Context, address string) ([]byte, error) {
	if f.left--; f.left < 0 {
		return nil, fmt.Errorf("an import downloads at most %d pictures", mostPictures)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	answer, err := f.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the answer is %s", answer.Status)
	}
	return bounded(answer.Body)
}
