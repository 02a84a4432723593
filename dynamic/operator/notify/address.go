package notify

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"souk/dynamic/verification"
)

// An Address is where notices go.
type Address struct {
	// text is the address as the operator wrote it. It may contain a secret.
	text string
	// mailbox is set for mailto.
	mailbox string
	// name says, without anything secret or personal, which address this is.
	name string
}

// ParseAddress parses mailto:NAME@HOST or https://HOST/PATH. Its errors quote nothing of the
// address, which may contain a secret.
func ParseAddress(text string) (Address, error) {
	if mailbox, is := strings.CutPrefix(text, "mailto:"); is {
		if _, err := verification.ParseAddress(mailbox); err != nil {
			return Address{}, errors.New("after mailto: comes one plain address, as in mailto:ops@market.example")
		}
		return Address{text, mailbox, "the mailbox at " + mailbox[strings.LastIndexByte(mailbox, '@')+1:]}, nil
	}
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Scheme != "https", u.Hostname() == "", u.User != nil:
		return Address{}, errors.New("give mailto:ops@market.example, or the https:// address of a webhook without a user in it")
	}
	return Address{text, "", u.Host}, nil
}

// IsWebhook reports whether notices to the address are signed.
func (a Address) IsWebhook() bool { return a.mailbox == "" }

// ParseSecret decodes a secret as Standard Webhooks writes it. Its errors do not quote it.
func ParseSecret(text string) ([]byte, error) {
	const shortest, longest = 24, 64
	secret, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, "whsec_"))
	if err != nil || len(secret) < shortest || len(secret) > longest {
		return nil, fmt.Errorf("write whsec_ and %d to %d random bytes in base64, as from: echo whsec_$(openssl rand -base64 32)", shortest, longest)
	}
	return secret, nil
}
