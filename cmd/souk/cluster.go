package main

import (
	"log/slog"

	"github.com/spf13/pflag"

	"souk/dynamic/search/cluster"
	"souk/dynamic/search/opensearch"
)

// clusterOptions are the flags that select the search engine.
type clusterOptions struct {
	address string
	target  *opensearch.Target
}

func (o *clusterOptions) add(flags *pflag.FlagSet) {
	flags.StringVar(&o.address, "search", "", "search in an OpenSearch cluster: opensearch://[user:password@]host:9200/index, or opensearchs:// for TLS (default: in this process)")
}

// check parses the address. No message repeats it, because it may contain a password.
func (o *clusterOptions) check(w environment, flags *pflag.FlagSet) (err error) {
	if !flags.Changed("search") {
		return nil
	}
	if preview, err := flags.GetBool("preview"); err == nil && preview {
		return usagef("--preview always searches in this process: leave --search out")
	}
	o.target, err = opensearch.Parse(o.address, w.getenv("SOUK_OPENSEARCH_USER"), w.getenv("SOUK_OPENSEARCH_PASSWORD"))
	if err != nil {
		return usagef("--search: %v", err)
	}
	return nil
}

// cluster returns the cluster, or nil if this process searches.
func (o *clusterOptions) cluster(log *slog.Logger) cluster.Cluster {
	if o.target == nil {
		return nil
	}
	return opensearch.Open(o.target, opensearch.Options{Log: log})
}
