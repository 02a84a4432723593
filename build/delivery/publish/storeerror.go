package publish

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"

	"github.com/minio/minio-go/v7"
)

// explain converts an error of the client to one that says where it came from and how to
// fix it; for a missing key it returns errAbsent.
func (s *bucketStore) explain(err error) error {
	if err == nil {
		return nil
	}
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) {
		return discreet(err)
	}
	hint := ""
	switch answer.Code {
	case minio.NoSuchKey:
		return fmt.Errorf("%w: %w", errAbsent, err)
	case minio.NoSuchBucket:
		hint = fmt.Sprintf(": there is no bucket %s; create it, or correct its name or the endpoint", s.bucket)
	case minio.InvalidAccessKeyID, minio.SignatureDoesNotMatch, "ExpiredToken":
		hint = ": the store rejects the credentials; check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN or the profile"
	case minio.AuthorizationHeaderMalformed, minio.InvalidRegion, "PermanentRedirect":
		hint = fmt.Sprintf(": the bucket is not in the region %s; give region=… in its URL", s.region)
	case minio.AccessDenied:
		hint = ": the credentials need permission to get, put, delete and list objects of the bucket"
	}
	if hint == "" && answer.Message != "" {
		hint = ": " + answer.Message
	}
	return &storeError{answer, fmt.Sprintf("%s answered %d %s%s", s.endpoint.Host, answer.StatusCode, answer.Code, hint)}
}

// A storeError is an error answer of the store, in words.
type storeError struct {
	answer minio.ErrorResponse
	text   string
}

func (e *storeError) Error() string { return e.text }

func (e *storeError) Unwrap() error { return e.answer }

// statusOf returns the status of an error answer, or 0.
func statusOf(err error) int {
	var answer minio.ErrorResponse
	if errors.As(err, &answer) {
		return answer.StatusCode
	}
	return 0
}

// passing are the codes of errors that may pass although their status blames the request:
// it was damaged in transit, or took too long.
var passing = map[string]bool{"RequestTimeout": true, minio.BadDigest: true, minio.IncompleteBody: true, "ExpiredToken": true}

// permanent reports whether retrying is useless: invalid or forbidden requests remain so,
// while too many or too slow requests do not.
func (s *bucketStore) permanent(err error) bool {
	var missing *credentialsError
	if errors.As(err, &missing) {
		return !missing.contacted
	}
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) {
		return errors.Is(err, errOvertaken)
	}
	switch status := answer.StatusCode; {
	case passing[answer.Code], status == http.StatusRequestTimeout, status == http.StatusTooManyRequests, status == http.StatusConflict:
		return false
	default:
		return status >= 300 && status < 500 || status == http.StatusNotImplemented
	}
}

// A discreetError omits the parameters of URLs from its message, since they include a web
// identity's token.
type discreetError struct{ error }

var parameters = regexp.MustCompile(`(https?://[^\s"?]*)\?[^\s"]*`)

func (e discreetError) Error() string { return parameters.ReplaceAllString(e.error.Error(), "$1") }

func (e discreetError) Unwrap() error { return e.error }

func discreet(err error) error {
	if err == nil {
		return nil
	}
	return discreetError{err}
}
