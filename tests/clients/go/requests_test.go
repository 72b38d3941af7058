package sdk

import (
	"errors"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// putNew returns a Put of a new item. The Put fails if an item with this key exists.
func putNew(t *testing.T, store *Store, key Key) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{
		TableName:           &store.Table,
		Item:                marshal(t, key),
		ConditionExpression: aws.String("attribute_not_exists(PK)"),
	}}
}

func TestACancelledTransactionHasItsReasons(t *testing.T) {
	store := newStore(t)
	put(t, store, Key{PK: "p", SK: "old"})
	_, err := store.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{
			putNew(t, store, Key{PK: "p", SK: "new"}),
			putNew(t, store, Key{PK: "p", SK: "old"}),
		},
	})
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		t.Fatalf("%T: %v", err, err)
	}
	equal(t, "Transaction cancelled, please refer cancellation reasons for specific reasons "+
		"[None, ConditionalCheckFailed]", cancelled.ErrorMessage())
	equal(t, 2, len(cancelled.CancellationReasons))
	equal(t, "None", *cancelled.CancellationReasons[0].Code)
	equal(t, "The conditional request failed", *cancelled.CancellationReasons[1].Message)
}

func TestAFailedConditionReturnsTheItemOnRequest(t *testing.T) {
	store := newStore(t)
	put(t, store, sample())
	version := expression.Name("Int")
	built, err := expression.NewBuilder().
		WithUpdate(expression.Set(version, expression.Plus(version, expression.Value(1)))).
		WithCondition(expression.Equal(version, expression.Value(7))).
		Build()
	check(t, err)
	_, err = store.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:                           &store.Table,
		Key:                                 sampleKey(t),
		UpdateExpression:                    built.Update(),
		ConditionExpression:                 built.Condition(),
		ExpressionAttributeNames:            built.Names(),
		ExpressionAttributeValues:           built.Values(),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	var failed *types.ConditionalCheckFailedException
	if !errors.As(err, &failed) {
		t.Fatalf("%T: %v", err, err)
	}
	equal(t, sample().Text, stored[record](t, failed.Item).Text)
	// Beside an item DynamoDB spells the member "Message", which this SDK does not read.
	equal(t, "", failed.ErrorMessage())
}

func TestAPaginatorReadsAllPagesOfAnIndex(t *testing.T) {
	store := newStore(t)
	var expected []string
	for n := 0; n < 20; n++ {
		sort := fmt.Sprintf("S#%02d", n)
		put(t, store, map[string]any{"PK": sort, "SK": "s", "GSI1PK": "all", "GSI1SK": sort, "n": n})
		if n >= 5 {
			expected = append(expected, sort)
		}
	}
	put(t, store, Key{PK: "p", SK: "without an entry"})
	built, err := expression.NewBuilder().
		WithKeyCondition(expression.KeyAnd(
			expression.Key("GSI1PK").Equal(expression.Value("all")),
			expression.Key("GSI1SK").BeginsWith("S#"))).
		WithFilter(expression.Name("n").GreaterThanEqual(expression.Value(5))).
		WithProjection(expression.NamesList(expression.Name("PK"))).
		Build()
	check(t, err)
	pages := dynamodb.NewQueryPaginator(store.Client, &dynamodb.QueryInput{
		TableName:                 &store.Table,
		IndexName:                 aws.String("GSI1"),
		KeyConditionExpression:    built.KeyCondition(),
		FilterExpression:          built.Filter(),
		ProjectionExpression:      built.Projection(),
		ExpressionAttributeNames:  built.Names(),
		ExpressionAttributeValues: built.Values(),
		Limit:                     aws.Int32(7),
	})
	var found []string
	var scanned int32
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		check(t, err)
		scanned += page.ScannedCount
		for _, item := range page.Items {
			equal(t, 1, len(item))
			found = append(found, stored[Key](t, item).PK)
		}
	}
	equal(t, expected, found)
	equal(t, int32(20), scanned)
}
