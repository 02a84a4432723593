package main

import (
	"strings"
	"testing"
	"time"
)

func TestServersThatCopyAReleaseNeedASharedLedger(t *testing.T) {
	for _, c := range []struct{ from, database, says string }{
		{"/srv/market", "", ""},
		{"s3://market/public?region=eu-central-1", "postgres://ledger/souk", ""},
		{"s3://market/public?region=eu-central-1", "postgresql://ledger/souk", ""},
		{"s3://market/public?region=eu-central-1", "", "--database postgres://"},
		{"s3://market/public?region=eu-central-1", "/var/lib/souk/ledger.db", "several machines"},
		{"file:///mnt/market/public", "", "--database postgres://"},
	} {
		err := checkCopied(c.from, c.database)
		switch {
		case c.says == "" && err != nil, c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "region")):
			t.Errorf("--from %s --database %q: %v", c.from, c.database, err)
		}
	}
}

func TestInvalidOriginIsAUsageError(t *testing.T) {
	t.Setenv("AWS_REGION", "")
	t.Setenv("AWS_DEFAULT_REGION", "")
	for from, says := range map[string]string{
		"s3://market":                      "region",
		"s3://market?region=eu-central-1":  "s3://market/public",
		"gs://market/public":               "gs:// is not supported",
		"https://market.example":           "neither a folder nor",
		"s3://a:b@market/x?region=x":       "it must not contain credentials",
		"s3://market/public?regino=x":      "regino",
		"s3://market/public?endpoint=ftp:": "endpoint",
	} {
		_, err := openCopied(t.Context(), environment{now: time.Now, stderr: t.Output()}, from, t.TempDir())
		if _, usage := err.(usageError); !usage || !strings.Contains(err.Error(), says) {
			t.Errorf("--from %s: %v", from, err)
		}
	}
}
