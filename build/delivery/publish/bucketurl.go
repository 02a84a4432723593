package publish

import (
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
)

// A bucketURL contains the parts of a bucket's URL.
type bucketURL struct {
	bucket string
	// prefix of all keys is "" or ends in a slash.
	prefix string
	// endpoint is the scheme and host of the store; aws is set if it belongs to AWS.
	endpoint *url.URL
	aws      bool
	region   string
	// pathStyle is "true", "false", or "" if it depends on the endpoint.
	pathStyle string
	// profile is a profile in the shared configuration files, or "".
	profile string
}

// elsewhere says what to write instead of an unsupported URL. %s is the bucket with its
// path.
var elsewhere = map[string]string{
	"gs": "gs:// is not supported, but Google Cloud Storage also speaks S3. Create an HMAC key " +
		"(gcloud storage hmac create SERVICE-ACCOUNT), set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to it, and publish to " +
		"'s3://%s?endpoint=https://storage.googleapis.com&region=auto'",
	"azblob": "azblob:// is not supported, and Azure Blob Storage does not speak S3. Run an S3 gateway in front of it " +
		"(versitygw azure, or s3proxy) and publish to 's3://%s?endpoint=https://GATEWAY&use_path_style=true', " +
		"or publish to a folder and copy that with azcopy sync --delete-destination=true",
}

// parseBucketURL parses s3://bucket/prefix?endpoint=…&region=…. Its errors are
// ErrDestination and contain no parameter's value.
func parseBucketURL(destination string) (b bucketURL, err error) {
	u, err := url.Parse(destination)
	if err != nil {
		return b, fmt.Errorf("%w: it is not the URL of a bucket, as in s3://bucket/prefix", ErrDestination)
	}
	if instead, known := elsewhere[u.Scheme]; known {
		return b, fmt.Errorf("%w: "+instead, ErrDestination, u.Host+u.Path)
	}
	if u.Scheme != "s3" || u.Host == "" || u.User != nil {
		return b, fmt.Errorf("%w: it is neither a folder nor the URL of a bucket, as in s3://bucket/prefix; it must not contain credentials", ErrDestination)
	}
	q := u.Query()
	known := map[string]*string{"region": &b.region, "profile": &b.profile, "use_path_style": &b.pathStyle, "endpoint": new(string)}
	for name, values := range q {
		value, ok := known[name]
		if !ok {
			return b, fmt.Errorf("%w: the bucket's URL has an unknown parameter %s; known are %s", ErrDestination, name,
				strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		*value = values[0]
	}
	if b.pathStyle != "" && b.pathStyle != "true" && b.pathStyle != "false" {
		return b, fmt.Errorf("%w: use_path_style must be true or false", ErrDestination)
	}
	b.bucket = u.Host
	if b.prefix = strings.Trim(u.Path, "/"); b.prefix != "" {
		b.prefix += "/"
	}
	return b, b.locate(*known["endpoint"])
}

// locate finds endpoint and region. Most stores other than AWS have one region, which they
// call us-east-1, or whose name they ignore.
func (b *bucketURL) locate(endpoint string) (err error) {
	for _, name := range []string{"AWS_REGION", "AWS_DEFAULT_REGION"} {
		if b.region == "" {
			b.region = os.Getenv(name)
		}
	}
	if endpoint == "" {
		if b.region == "" {
			return fmt.Errorf("%w: the bucket's region is missing: give it as in s3://%s?region=eu-central-1, or in AWS_REGION; a store that is not AWS also needs endpoint=https://…",
				ErrDestination, b.bucket)
		}
		endpoint = "https://s3." + b.region + ".amazonaws.com"
		if strings.HasPrefix(b.region, "cn-") {
			endpoint += ".cn"
		}
	}
	if b.region == "" {
		b.region = "us-east-1"
	}
	b.endpoint, err = url.Parse(endpoint)
	if err != nil || b.endpoint.Scheme != "http" && b.endpoint.Scheme != "https" || b.endpoint.Host == "" ||
		strings.Trim(b.endpoint.Path, "/") != "" || b.endpoint.User != nil || b.endpoint.RawQuery != "" {
		return fmt.Errorf("%w: endpoint must be only the scheme and host of the store, as in endpoint=https://s3.example", ErrDestination)
	}
	host := strings.TrimSuffix(b.endpoint.Hostname(), ".cn")
	b.aws = strings.HasSuffix(host, ".amazonaws.com")
	return nil
}

// id identifies the bucket, regardless of the other parameters in its URL.
func (b *bucketURL) id() string {
	return b.endpoint.Scheme + "://" + b.endpoint.Host + "/" + b.bucket + "/" + b.prefix
}

// name returns the bucket's URL for people, without its parameters.
func (b *bucketURL) name() string {
	return strings.TrimSuffix("s3://"+b.bucket+"/"+b.prefix, "/")
}
