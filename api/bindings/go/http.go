package dolmen

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
)

// HTTPClient executes the requests of an AWS SDK without a network. It is an HTTPClient of
// aws-sdk-go-v2, and a Transport of http.Client. Signatures are not checked, so a client of the SDK
// needs no credentials.
type HTTPClient struct {
	db *Database
}

// HTTPClient returns a client whose requests this database executes.
func (db *Database) HTTPClient() *HTTPClient {
	return &HTTPClient{db}
}

// Do executes a request of DynamoDB or of DynamoDB Streams. The response of an error of DynamoDB has
// DynamoDB's status and JSON.
//   - ErrClosed: the database is closed.
//   - The error of the request's context, if it is done before the database begins the request.
func (c *HTTPClient) Do(request *http.Request) (*http.Response, error) {
	body, err := readBody(request)
	if err != nil {
		return nil, err
	}
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	target := request.Header.Get("X-Amz-Target")
	if target == "" {
		return nil, errors.New("dolmen: the request has no header X-Amz-Target")
	}
	status, response, err := c.db.execute(target[strings.LastIndexByte(target, '.')+1:], body)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		Status:        fmt.Sprint(status, " ", http.StatusText(status)),
		StatusCode:    status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        header(response),
		Body:          io.NopCloser(bytes.NewReader(response)),
		ContentLength: int64(len(response)),
		Request:       request,
	}, nil
}

// RoundTrip executes a request as Do does.
func (c *HTTPClient) RoundTrip(request *http.Request) (*http.Response, error) {
	return c.Do(request)
}

// readBody reads and closes the body.
func readBody(request *http.Request) ([]byte, error) {
	if request.Body == nil {
		return nil, nil
	}
	defer request.Body.Close()
	if request.ContentLength <= 0 {
		return io.ReadAll(request.Body)
	}
	body := make([]byte, request.ContentLength)
	_, err := io.ReadFull(request.Body, body)
	return body, err
}

// header returns the headers that DynamoDB sends.
func header(response []byte) http.Header {
	return http.Header{
		"Content-Type":     {"application/x-amz-json-1.0"},
		"Content-Length":   {strconv.Itoa(len(response))},
		"X-Amz-Crc32":      {strconv.FormatUint(uint64(crc32.ChecksumIEEE(response)), 10)},
		"X-Amzn-Requestid": {requestID()},
	}
}

var (
	process  = randomText()
	requests uint64
)

// requestID returns a text that no other response has.
func requestID() string {
	return fmt.Sprintf("%s%012X", process, atomic.AddUint64(&requests, 1))
}

func randomText() string {
	random := make([]byte, 20)
	_, _ = rand.Read(random) // without random bytes the texts are unique in the process only
	return strings.ToUpper(hex.EncodeToString(random))
}
