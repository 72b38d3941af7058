package sdk

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// throttled is the access key of a database that no other test uses.
const throttled = "throttled"

// control sends a control request and reads the answer.
func control(t *testing.T, method, path, body string, answer any) {
	t.Helper()
	url := os.Getenv("DOLMEN_ENDPOINT") + "/_dolmen/" + path
	request := must[*http.Request](t)(http.NewRequest(method, url, strings.NewReader(body)))
	request.Header.Set("X-Dolmen-Access-Key", throttled)
	response := must[*http.Response](t)(http.DefaultClient.Do(request))
	defer response.Body.Close()
	equal(t, http.StatusOK, response.StatusCode)
	check(t, json.NewDecoder(response.Body).Decode(answer))
}

// useEveryOperation calls each operation that DynamoDB throttles, and the SDK retries, once.
func useEveryOperation(t *testing.T, client *dynamodb.Client, pk string) {
	t.Helper()
	table := aws.String("app")
	text := func(value string) types.AttributeValue {
		return &types.AttributeValueMemberS{Value: value}
	}
	type item = map[string]types.AttributeValue
	key := item{"PK": text(pk), "SK": text("1")}
	sent := func(_ any, err error) { t.Helper(); check(t, err) }
	sent(client.PutItem(ctx, &dynamodb.PutItemInput{TableName: table, Item: key}))
	sent(client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:                 table,
		Key:                       key,
		UpdateExpression:          aws.String("ADD n :one"),
		ExpressionAttributeValues: item{":one": &types.AttributeValueMemberN{Value: "1"}},
	}))
	sent(client.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: key}))
	sent(client.Query(ctx, &dynamodb.QueryInput{
		TableName:                 table,
		KeyConditionExpression:    aws.String("PK = :pk"),
		ExpressionAttributeValues: item{":pk": text(pk)},
	}))
	sent(client.Scan(ctx, &dynamodb.ScanInput{TableName: table}))
	sent(client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
		RequestItems: map[string]types.KeysAndAttributes{*table: {Keys: []item{key}}},
	}))
	put := &types.PutRequest{Item: item{"PK": text(pk), "SK": text("2")}}
	sent(client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
		RequestItems: map[string][]types.WriteRequest{*table: {{PutRequest: put}}},
	}))
	sent(client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: table, Key: key}))
}

func TestEachOperationGetsThroughWhenAFifthOfAllRequestsIsThrottled(t *testing.T) {
	if os.Getenv("DOLMEN_IN_PROCESS") != "" {
		t.Skip("only a server has control requests")
	}
	client, _ := newClient(func(o *dynamodb.Options) {
		o.Credentials = aws.CredentialsProviderFunc(
			func(context.Context) (aws.Credentials, error) {
				return aws.Credentials{AccessKeyID: throttled, SecretAccessKey: "secret"}, nil
			})
		// Three attempts, as usual, but shorter waits.
		o.RetryMaxAttempts = retry.DefaultMaxAttempts
		o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxBackoff = 50 * time.Millisecond
		})
	})
	key := func(name string, role types.KeyType) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: &name, KeyType: role}
	}
	definition := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{
			AttributeName: &name, AttributeType: types.ScalarAttributeTypeS,
		}
	}
	_, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:            aws.String("app"),
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{definition("PK"), definition("SK")},
		KeySchema: []types.KeySchemaElement{
			key("PK", types.KeyTypeHash), key("SK", types.KeyTypeRange),
		},
	})
	check(t, err)
	rules := `{"Seed": 7, "Rules": [{"Fault": "Throttling", "Chance": 0.2}]}`
	control(t, "POST", "simulate", rules, &struct{}{})
	for n := 0; n < 5; n++ {
		useEveryOperation(t, client, fmt.Sprint(n))
	}
	var simulated struct{ Trace []string }
	control(t, "GET", "simulate", "", &simulated)
	if len(simulated.Trace) <= 5 {
		t.Error(simulated.Trace)
	}
	var log struct{ Requests []struct{ Status int } }
	control(t, "GET", "requests", "", &log)
	statuses := map[int]int{}
	for _, request := range log.Requests {
		statuses[request.Status]++
	}
	equal(t, map[int]int{200: 1 + 5*8, 400: len(simulated.Trace)}, statuses)
}
