package dolmen_test

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strings"
	"testing"

	"dolmen"
)

func httpRequest(target, body string) *http.Request {
	request, err := http.NewRequest("POST", "https://dynamodb.us-east-1.amazonaws.com",
		strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	if target != "" {
		request.Header.Set("X-Amz-Target", target)
	}
	return request
}

func TestARequestOverHTTPIsExecuted(t *testing.T) {
	db := newDatabase(t)
	put(t, db, "1")
	client := http.Client{Transport: db.HTTPClient()}
	for _, test := range []struct {
		target, body string
		status       int
		response     string
	}{
		{"DynamoDB_20120810.GetItem", string(getRequest("1")), 200, `{"Item":` + item("1") + `}`},
		{"DynamoDBStreams_20120810.ListStreams", "{}", 200, ""},
		{"DynamoDB_20120810.GetItem", "{", 400, ""},
		{"DynamoDB_20120810.GetItem", "", 400, ""},
	} {
		response, err := client.Do(httpRequest(test.target, test.body))
		check(t, err)
		body, err := io.ReadAll(response.Body)
		check(t, err)
		equal(t, test.status, response.StatusCode)
		if test.response != "" {
			equal(t, test.response, string(body))
		}
		equal(t, int64(len(body)), response.ContentLength)
		equal(t, fmt.Sprint(crc32.ChecksumIEEE(body)), response.Header.Get("X-Amz-Crc32"))
		equal(t, "application/x-amz-json-1.0", response.Header.Get("Content-Type"))
	}
}

func TestEachResponseHasARequestID(t *testing.T) {
	db, seen := newDatabase(t), map[string]bool{}
	for number := 0; number < 10; number++ {
		response, err := db.HTTPClient().Do(httpRequest("DynamoDB_20120810.ListTables", "{}"))
		check(t, err)
		seen[response.Header.Get("X-Amzn-RequestId")] = true
	}
	equal(t, 10, len(seen))
}

func TestARequestWithoutOperationIsAnError(t *testing.T) {
	_, err := newDatabase(t).HTTPClient().Do(httpRequest("", "{}"))
	equal(t, "dolmen: the request has no header X-Amz-Target", err.Error())
}

func TestACanceledRequestIsNotExecuted(t *testing.T) {
	db := newDatabase(t)
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	request := httpRequest("DynamoDB_20120810.PutItem", string(putRequest("1")))
	_, err := db.HTTPClient().Do(request.WithContext(canceled))
	equal(t, true, errors.Is(err, context.Canceled))
	equal(t, false, has(t, db, "1"))
}

func TestARequestAfterCloseIsAnError(t *testing.T) {
	db := newDatabase(t)
	check(t, db.Close())
	_, err := db.HTTPClient().Do(httpRequest("DynamoDB_20120810.ListTables", "{}"))
	equal(t, true, errors.Is(err, dolmen.ErrClosed))
}
