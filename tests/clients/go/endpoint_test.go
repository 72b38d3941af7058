package sdk

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
)

var ctx = context.Background()

// wire records the last response before the SDK reads it.
type wire struct {
	next http.RoundTripper

	mutex  sync.Mutex
	header http.Header
	body   []byte
}

func (w *wire) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := w.next.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(body))
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.header, w.body = response.Header.Clone(), body
	return response, nil
}

func credentials(context.Context) (aws.Credentials, error) {
	return aws.Credentials{
		AccessKeyID:     os.Getenv("AWS_ACCESS_KEY_ID"),
		SecretAccessKey: os.Getenv("AWS_SECRET_ACCESS_KEY"),
	}, nil
}

// newClient returns a client that sends each request once. A retry could hide a failure.
func newClient(change func(*dynamodb.Options)) (*dynamodb.Client, *wire) {
	spy := &wire{next: transport}
	listen := func(o *dynamodb.Options) { o.HTTPClient = &http.Client{Transport: spy} }
	return dynamodb.New(dynamodb.Options{
		Region:           os.Getenv("AWS_REGION"),
		BaseEndpoint:     aws.String(os.Getenv("DOLMEN_ENDPOINT")),
		Credentials:      aws.CredentialsProviderFunc(credentials),
		RetryMaxAttempts: 1,
	}, attach, listen, change), spy
}

func newStreams() *dynamodbstreams.Client {
	return dynamodbstreams.New(dynamodbstreams.Options{
		Region:           os.Getenv("AWS_REGION"),
		BaseEndpoint:     aws.String(os.Getenv("DOLMEN_ENDPOINT")),
		Credentials:      aws.CredentialsProviderFunc(credentials),
		HTTPClient:       &http.Client{Transport: transport},
		RetryMaxAttempts: 1,
	})
}

// Store is a table of a test.
type Store struct {
	Client *dynamodb.Client
	Table  string
}

// newStore creates a table for the test.
func newStore(t *testing.T) *Store {
	t.Helper()
	client, _ := newClient(func(*dynamodb.Options) {})
	key := func(names ...string) []types.KeySchemaElement {
		return []types.KeySchemaElement{
			{AttributeName: &names[0], KeyType: types.KeyTypeHash},
			{AttributeName: &names[1], KeyType: types.KeyTypeRange},
		}
	}
	var definitions []types.AttributeDefinition
	for _, name := range []string{"PK", "SK", "GSI1PK", "GSI1SK"} {
		definitions = append(definitions, types.AttributeDefinition{
			AttributeName: aws.String(name), AttributeType: types.ScalarAttributeTypeS,
		})
	}
	name := t.Name()
	_, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:            &name,
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: definitions,
		KeySchema:            key("PK", "SK"),
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName:  aws.String("GSI1"),
			KeySchema:  key("GSI1PK", "GSI1SK"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		}},
		StreamSpecification: &types.StreamSpecification{
			StreamEnabled:  aws.Bool(true),
			StreamViewType: types.StreamViewTypeNewAndOldImages,
		},
	})
	check(t, err)
	quickly := func(o *dynamodb.TableExistsWaiterOptions) { o.MinDelay, o.MaxDelay = 1e6, 1e7 }
	described := &dynamodb.DescribeTableInput{TableName: &name}
	check(t, dynamodb.NewTableExistsWaiter(client).Wait(ctx, described, 20*time.Second, quickly))
	t.Cleanup(func() {
		_, err := client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &name})
		check(t, err)
	})
	return &Store{Client: client, Table: name}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal(t *testing.T, expected, found any) {
	t.Helper()
	if !reflect.DeepEqual(expected, found) {
		t.Fatalf("\nexpected %#v\n   found %#v", expected, found)
	}
}

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		check(t, err)
		return value
	}
}
