package publish

import (
	"errors"
	"fmt"
	"os"

	"github.com/minio/minio-go/v7/pkg/credentials"
)

// A chain tries several sources of credentials. Unlike the library's chain, it never falls
// back to unsigned requests, which a store rejects without a reason, and it reports what
// each source said.
type chain struct {
	sources []credentials.Provider
	// named means that a profile was requested by name.
	named bool
	// last is the source of the current credentials.
	last credentials.Provider
}

// credentialsOf returns the credentials for a bucket from the same sources as AWS's own
// tools: the environment; a profile in ~/.aws, with its keys, its credential_process or the
// session of aws sso login; and for AWS, the role of a web identity, a container or a
// machine. If a profile is named, it is the only source.
func credentialsOf(b bucketURL) *credentials.Credentials {
	c := &chain{named: b.profile+os.Getenv("AWS_PROFILE") != "", sources: []credentials.Provider{&credentials.FileAWSCredentials{Profile: b.profile}}}
	if b.profile == "" {
		c.sources = append([]credentials.Provider{&credentials.EnvAWS{}}, c.sources...)
		if b.aws && (os.Getenv("AWS_EC2_METADATA_DISABLED") != "true" || role()) {
			c.sources = append(c.sources, &credentials.IAM{Region: b.region})
		}
	}
	return credentials.New(c)
}

// role reports whether the environment names a role, so that the machine's own role is not
// used.
func role() bool {
	return os.Getenv("AWS_WEB_IDENTITY_TOKEN_FILE")+os.Getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")+
		os.Getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI") != ""
}

// A credentialsError means that no source has credentials.
type credentialsError struct {
	// contacted means that a service was asked, which may have credentials next time.
	contacted bool
	cause     error
}

func (e *credentialsError) Error() string {
	text := "there are no credentials for the bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
	if e.cause != nil {
		text += fmt.Sprintf(" (%v)", e.cause)
	}
	return text
}

func (e *credentialsError) Unwrap() error { return e.cause }

func (c *chain) RetrieveWithCredContext(cc *credentials.CredContext) (credentials.Value, error) {
	failed := &credentialsError{}
	for _, source := range c.sources {
		v, err := source.RetrieveWithCredContext(cc)
		if err == nil && v.AccessKeyID != "" && v.SecretAccessKey != "" {
			c.last = source
			return v, nil
		}
		if _, service := source.(*credentials.IAM); service && err != nil {
			failed.contacted, err = true, fmt.Errorf("the role of the container or machine: %w", err)
		}
		// Missing files are not an error, unless a profile is named.
		if err != nil && (c.named || !errors.Is(err, os.ErrNotExist)) {
			failed.cause = errors.Join(failed.cause, discreet(err))
		}
	}
	return credentials.Value{}, failed
}

func (c *chain) Retrieve() (credentials.Value, error) { return c.RetrieveWithCredContext(nil) }

func (c *chain) IsExpired() bool { return c.last == nil || c.last.IsExpired() }
