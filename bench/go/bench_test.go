// Package bench times GetItem and Query of the newest 50 messages by each way to a database. bench.py
// writes the requests, starts the server and runs these benchmarks.
package bench

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"reflect"
	"testing"

	"dolmen"
	"dolmen/dolmenaws"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	_ "github.com/mattn/go-sqlite3"
)

var ctx = context.Background()

// call is a line of the file that bench.py writes.
type call struct {
	Operation string
	Request   json.RawMessage
	Items     []map[string]value // the items that a read must find
}

// value is an attribute value. The items of the bench have only texts and booleans.
type value struct {
	S    *string `json:",omitempty"`
	BOOL *bool   `json:",omitempty"`
}

// readCalls returns the lines of the file that the environment variable names.
func readCalls(b *testing.B, variable string) []call {
	b.Helper()
	file, err := os.Open(os.Getenv(variable))
	check(b, err)
	defer file.Close()
	var calls []call
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one call
		check(b, json.Unmarshal(lines.Bytes(), &one))
		calls = append(calls, one)
	}
	check(b, lines.Err())
	return calls
}

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// read is a prepared call. It returns what it has found, and items converts that for a comparison.
type read func() (found any, err error)

// contender is a way to a database.
type contender interface {
	prepare(one call) read
	items(found any) []map[string]value
}

func measure(b *testing.B, way contender) {
	for _, workload := range []string{"get_item", "query_newest_50"} {
		b.Run(workload, func(b *testing.B) {
			var reads []read
			for _, one := range readCalls(b, "DOLMEN_BENCH_"+workload) {
				prepared := way.prepare(one)
				found, err := prepared()
				check(b, err)
				if items := way.items(found); !reflect.DeepEqual(one.Items, items) {
					b.Fatalf("found %v", items)
				}
				reads = append(reads, prepared)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for i := 0; i < b.N; i++ {
				if _, err := reads[i%len(reads)](); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// loaded returns a database in memory with the items.
func loaded(b *testing.B) *dolmen.Database {
	b.Helper()
	db, err := dolmen.OpenInMemory(nil)
	check(b, err)
	b.Cleanup(func() { check(b, db.Close()) })
	for _, one := range readCalls(b, "DOLMEN_BENCH_load") {
		_, err := db.Execute(one.Operation, one.Request)
		check(b, err)
	}
	return db
}

// execute reads by Database.Execute.
type execute struct{ db *dolmen.Database }

func (w execute) prepare(one call) read {
	return func() (any, error) { return w.db.Execute(one.Operation, one.Request) }
}

func (w execute) items(found any) []map[string]value {
	var response struct {
		Item  map[string]value
		Items []map[string]value
	}
	if err := json.Unmarshal(found.([]byte), &response); err != nil {
		panic(err)
	}
	if response.Item != nil {
		return []map[string]value{response.Item}
	}
	return response.Items
}

func BenchmarkExecute(b *testing.B) { measure(b, execute{loaded(b)}) }

// sdk reads by a client of the AWS SDK.
type sdk struct{ client *dynamodb.Client }

func (w sdk) prepare(one call) read {
	if one.Operation == "GetItem" {
		input := inputOf[dynamodb.GetItemInput](one.Request)
		return func() (any, error) { return w.client.GetItem(ctx, input) }
	}
	input := inputOf[dynamodb.QueryInput](one.Request)
	return func() (any, error) { return w.client.Query(ctx, input) }
}

// inputOf returns the request as an input of the SDK. The SDK has no function for that.
func inputOf[T any](request []byte) *T {
	var members map[string]any
	if err := json.Unmarshal(request, &members); err != nil {
		panic(err)
	}
	input := new(T)
	for name, member := range members {
		field := reflect.ValueOf(input).Elem().FieldByName(name)
		switch member := member.(type) {
		case map[string]any:
			values := map[string]types.AttributeValue{}
			for key, text := range member {
				values[key] = &types.AttributeValueMemberS{
					Value: text.(map[string]any)["S"].(string),
				}
			}
			field.Set(reflect.ValueOf(values))
		case float64:
			field.Set(reflect.ValueOf(aws.Int32(int32(member))))
		default:
			pointer := reflect.New(field.Type().Elem())
			pointer.Elem().Set(reflect.ValueOf(member))
			field.Set(pointer)
		}
	}
	return input
}

func (w sdk) items(found any) []map[string]value {
	output, ok := found.(*dynamodb.QueryOutput)
	if !ok {
		return itemsOf(found.(*dynamodb.GetItemOutput).Item)
	}
	return itemsOf(output.Items...)
}

func itemsOf(found ...map[string]types.AttributeValue) []map[string]value {
	var items []map[string]value
	for _, one := range found {
		item := map[string]value{}
		for name, attribute := range one {
			switch attribute := attribute.(type) {
			case *types.AttributeValueMemberS:
				item[name] = value{S: &attribute.Value}
			case *types.AttributeValueMemberBOOL:
				item[name] = value{BOOL: &attribute.Value}
			}
		}
		items = append(items, item)
	}
	return items
}

func BenchmarkSDKInProcess(b *testing.B) { measure(b, sdk{dolmenaws.NewClient(loaded(b))}) }

func BenchmarkSDKHTTPClient(b *testing.B) {
	measure(b, sdk{dynamodb.New(dynamodb.Options{
		Region: "us-east-1", HTTPClient: loaded(b).HTTPClient(),
	})})
}

// plainBody sends a copy of the request's body. The SDK closes its own body before net/http has seen
// the end of the body, and net/http then closes the connection in about one of 1000 calls.
type plainBody struct{}

func (plainBody) Do(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	return http.DefaultClient.Do(request)
}

func BenchmarkSDKOverHTTP(b *testing.B) {
	credentials := aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: "dolmen", SecretAccessKey: "secret"}, nil
	})
	measure(b, sdk{dynamodb.New(dynamodb.Options{
		Region: "us-east-1", Credentials: credentials, HTTPClient: plainBody{},
		BaseEndpoint: aws.String(os.Getenv("DOLMEN_ENDPOINT")),
	})})
}

// sqlite reads by the module go-sqlite3, with a column for each attribute.
type sqlite struct{ get, query *sql.Stmt }

// row has the columns of a message.
type row struct {
	PK, SK, body, conversationID, createdAt, messageID, senderID, kind string
	edited                                                             bool
}

func BenchmarkSQLite(b *testing.B) {
	db, err := sql.Open("sqlite3", ":memory:")
	check(b, err)
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection has a database of its own
	_, err = db.Exec(`CREATE TABLE chat (PK, SK, body, conversationId, createdAt, messageId,
		senderId, type, edited, PRIMARY KEY (PK, SK)) WITHOUT ROWID`)
	check(b, err)
	insert, err := db.Prepare("INSERT INTO chat VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
	check(b, err)
	for _, one := range readCalls(b, "DOLMEN_BENCH_messages") {
		for _, item := range one.Items {
			_, err := insert.Exec(*item["PK"].S, *item["SK"].S, *item["body"].S,
				*item["conversationId"].S, *item["createdAt"].S, *item["messageId"].S,
				*item["senderId"].S, *item["type"].S, *item["edited"].BOOL)
			check(b, err)
		}
	}
	var way sqlite
	way.get, err = db.Prepare("SELECT * FROM chat WHERE PK = ? AND SK = ?")
	check(b, err)
	way.query, err = db.Prepare(
		"SELECT * FROM chat WHERE PK = ? AND SK BETWEEN ? AND ? ORDER BY SK DESC LIMIT 50")
	check(b, err)
	measure(b, way)
}

func (w sqlite) prepare(one call) read {
	var request struct{ Key, ExpressionAttributeValues map[string]value }
	if err := json.Unmarshal(one.Request, &request); err != nil {
		panic(err)
	}
	if one.Operation == "GetItem" {
		pk, sk := *request.Key["PK"].S, *request.Key["SK"].S
		return func() (any, error) { return rowsOf(w.get.Query(pk, sk)) }
	}
	values := request.ExpressionAttributeValues
	pk, prefix := *values[":pk"].S, *values[":prefix"].S
	return func() (any, error) { return rowsOf(w.query.Query(pk, prefix, prefix+"\U0010ffff")) }
}

func rowsOf(found *sql.Rows, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	defer found.Close()
	var rows []row
	for found.Next() {
		var r row
		err := found.Scan(&r.PK, &r.SK, &r.body, &r.conversationID, &r.createdAt, &r.messageID,
			&r.senderID, &r.kind, &r.edited)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, found.Err()
}

func (w sqlite) items(found any) []map[string]value {
	var items []map[string]value
	for _, r := range found.([]row) {
		r := r
		items = append(items, map[string]value{
			"PK": {S: &r.PK}, "SK": {S: &r.SK}, "body": {S: &r.body},
			"conversationId": {S: &r.conversationID}, "createdAt": {S: &r.createdAt},
			"messageId": {S: &r.messageID}, "senderId": {S: &r.senderID}, "type": {S: &r.kind},
			"edited": {BOOL: &r.edited},
		})
	}
	return items
}
