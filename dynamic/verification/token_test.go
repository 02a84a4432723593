package verification

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// issued returns a Request with a token, using drawn randomness.
func issued(t *rapid.T, purpose Purpose) (Request, string) {
	bits := rapid.SliceOfN(rapid.Byte(), tokenBytes, tokenBytes).Draw(t, "bits")
	token, err := newToken(bytes.NewReader(bits))
	if err != nil {
		t.Fatal(err)
	}
	id, err := newID(rand.Reader, string(purpose))
	if err != nil {
		t.Fatal(err)
	}
	return Request{ID: id, Purpose: purpose, TokenHashes: []Hash{tokenHash(purpose, id, token.Reveal())}}, token.Reveal()
}

func TestOnlyTheExactTokenRedeemsItsRequest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, token := issued(t, ForRemoval)
		if !r.redeems(token) {
			t.Fatal("the token is refused")
		}
		at := rapid.IntRange(0, len(token)-1).Draw(t, "at")
		other := rapid.Byte().Draw(t, "byte")
		changed := token[:at] + string(other) + token[at+1:]
		if changed != token && r.redeems(changed) {
			t.Fatalf("byte %d may be %q", at, other)
		}
		for _, near := range []string{
			token[:at], token[:at] + token[at+1:], token + string(other), " " + token, token + "=", token + "\n",
			strings.ToLower(token), strings.ToUpper(token), "",
		} {
			if near != token && r.redeems(near) {
				t.Fatalf("%q redeems, too", near)
			}
		}
	})
}

func TestTokenIsForOnePurposeAndOneRequest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		claim, token := issued(t, ForClaim)
		removal := claim
		removal.Purpose = ForRemoval
		another := claim
		another.ID += "a"
		if removal.redeems(token) || another.redeems(token) {
			t.Fatal("it is of use elsewhere")
		}
	})
}

func TestEachTokenThatWasSentIsValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, token := issued(t, ForClaim)
		again, err := newToken(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		r.TokenHashes = append(r.TokenHashes, tokenHash(r.Purpose, r.ID, again.Reveal()))
		if !r.redeems(token) || !r.redeems(again.Reveal()) {
			t.Fatal("one of two is refused")
		}
	})
}

func TestHashesOfDifferentPartsDiffer(t *testing.T) {
	if hashOf("ab", "c") == hashOf("a", "bc") || hashOf("a") == hashOf("a", "") {
		t.Error("parts run into each other")
	}
}

func TestTokensAreNeverPrinted(t *testing.T) {
	token, err := newToken(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	mail := Message{ID: "m", Kind: MailClaim, RequestID: "claim-1", Token: token, To: Address{"jane", "acme.example"}}
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, nil))
	logger.Info("mail", "mail", mail, "token", token)
	slog.New(slog.NewTextHandler(&log, nil)).Info("mail", "mail", mail, "token", token, "to", mail.To)
	encoded, err := json.Marshal(mail)
	if err != nil {
		t.Fatal(err)
	}
	shown := fmt.Sprint(token, mail, &mail) + fmt.Sprintf("%v %+v %#v %s %q %x", token, token, token, token, token, token) +
		fmt.Sprintf("%+v", mail) + log.String() + string(encoded)
	for _, secret := range []string{token.Reveal(), fmt.Sprintf("%x", token.Reveal())} {
		if strings.Contains(shown, secret) {
			t.Error("the token shows in: " + strings.ReplaceAll(shown, secret, "<HERE>"))
		}
	}
	const want = "https://souk.example/verify/claim#id=claim-1&token="
	if link := mail.Link("https://souk.example"); link != want+token.Reveal() {
		t.Error("the link is not the contract's")
	}
	if mail.Code() != "claim-1."+token.Reveal() {
		t.Error("the code is not the contract's")
	}
}

func TestMissingRandomnessIsAnError(t *testing.T) {
	if _, err := newToken(strings.NewReader("too short")); err == nil {
		t.Error("a token was made of 9 bytes")
	}
	if _, err := newID(strings.NewReader(""), "claim"); err == nil {
		t.Error("an id was made of nothing")
	}
}
