package dynamic

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
)

// bound are the listeners of a server; metrics may be nil.
type bound struct{ public, metrics net.Listener }

// bind binds the configured addresses. If a preview has no SiteURL, it is set to the
// address of the server.
func bind(ctx context.Context, c *Config) (at bound, err error) {
	if at.public, err = listen(ctx, c.Listen); err != nil {
		return bound{}, err
	}
	if c.Metrics != "" {
		if at.metrics, err = listen(ctx, c.Metrics); err != nil {
			at.close()
			return bound{}, fmt.Errorf("metrics: %w", err)
		}
		c.Log.Info("metrics", "address", "http://"+at.metrics.Addr().String()+"/metrics")
	}
	if c.Build.Preview && c.Build.SiteURL == "" {
		c.Build.SiteURL = "http://" + reachable(at.public.Addr())
	}
	return at, nil
}

// close closes the listeners, also those that a server has closed already.
func (b bound) close() {
	_ = b.public.Close()
	if b.metrics != nil {
		_ = b.metrics.Close()
	}
}

// reachable returns the host and port at which this machine can connect to a listener's
// address.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return fmt.Sprintf("127.0.0.1:%d", tcp.Port)
}

// listen binds the address.
func listen(ctx context.Context, address string) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("another program is already listening on %s: stop it, or listen on another address (--listen, --metrics-listen)", address)
	}
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	return l, nil
}
