package dolmenaws_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"dolmen"
	"dolmen/dolmenaws"
	"dolmen/dolmentest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var ctx = context.Background()

var fixture = dolmentest.Fixture{Seed: []byte(`{"Tables": [{
	"TableName": "app", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
	"AttributeDefinitions": [
		{"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "N"}]}]}`)}

type item = map[string]types.AttributeValue

func text(value string) types.AttributeValue { return &types.AttributeValueMemberS{Value: value} }

func number(value int) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.Itoa(value)}
}

func key(sort int) item { return item{"PK": text("a"), "SK": number(sort)} }

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t testing.TB, client *dynamodb.Client, one item) {
	t.Helper()
	_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("app"), Item: one})
	check(t, err)
}

// plain returns a client whose responses the SDK reads.
func plain(db *dolmen.Database) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{Region: "us-east-1", HTTPClient: db.HTTPClient()})
}

// everything returns an item with each type, and texts that JSON escapes.
func everything(sort int) item {
	texts := []string{"", "Grüße, 世界 🎓", "\"\\/\b\f\n\r\t\x00\x1f", "<&>\u2028", "\\\""}
	one, values := key(sort), []types.AttributeValue{}
	for _, value := range texts {
		values = append(values, text(value))
		one["name "+value] = text(value)
	}
	one["list"] = &types.AttributeValueMemberL{Value: values}
	one["empty list"] = &types.AttributeValueMemberL{Value: []types.AttributeValue{}}
	one["map"] = &types.AttributeValueMemberM{Value: item{"list": one["list"], "n": number(1)}}
	one["empty map"] = &types.AttributeValueMemberM{Value: item{}}
	one["binary"] = &types.AttributeValueMemberB{Value: []byte{0, 255, 16}}
	one["empty binary"] = &types.AttributeValueMemberB{Value: []byte{}}
	one["true"] = &types.AttributeValueMemberBOOL{Value: true}
	one["false"] = &types.AttributeValueMemberBOOL{Value: false}
	one["null"] = &types.AttributeValueMemberNULL{Value: true}
	one["texts"] = &types.AttributeValueMemberSS{Value: texts}
	one["numbers"] = &types.AttributeValueMemberNS{Value: []string{"-1.5", "2"}}
	one["binaries"] = &types.AttributeValueMemberBS{Value: [][]byte{{1}, {2, 3}}}
	return one
}

// sameOutputs checks that both clients return equal outputs.
func sameOutputs[T any](t *testing.T, fast, slow *T, fastError, slowError error) {
	t.Helper()
	check(t, fastError)
	check(t, slowError)
	for _, output := range []*T{fast, slow} {
		field := reflect.ValueOf(output).Elem().FieldByName("ResultMetadata")
		field.Set(reflect.Zero(field.Type()))
	}
	if !reflect.DeepEqual(fast, slow) {
		t.Errorf("\n fast %#v\n slow %#v", fast, slow)
	}
}

// Both readers of responses are tested: that of this package, and the SDK's.
func TestEachDigitOfANumberIsReadAsItWasWritten(t *testing.T) {
	db := fixture.ForTest(t)
	seed := time.Now().UnixNano()
	random := rand.New(rand.NewSource(seed))
	end := new(big.Int).Exp(big.NewInt(10), big.NewInt(38), nil)
	exact := func(text string) *big.Rat {
		number, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("seed %d: %q is no number", seed, text)
		}
		return number
	}
	for turn := 0; turn < 1_000; turn++ {
		var values []types.AttributeValue
		for len(values) < 100 {
			number := fmt.Sprintf("%se%d", new(big.Int).Rand(random, end), random.Intn(200)-120)
			values = append(values, &types.AttributeValueMemberN{Value: number})
		}
		written := key(0)
		written["value"] = &types.AttributeValueMemberL{Value: values}
		for _, client := range []*dynamodb.Client{dolmenaws.NewClient(db), plain(db)} {
			put(t, client, written)
			found, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("app"), Key: key(0)})
			check(t, err)
			for i, read := range found.Item["value"].(*types.AttributeValueMemberL).Value {
				before, after := values[i].(*types.AttributeValueMemberN).Value, read.(*types.AttributeValueMemberN).Value
				if exact(before).Cmp(exact(after)) != 0 {
					t.Fatalf("seed %d: %s is read as %s", seed, before, after)
				}
			}
		}
	}
}

func TestReadsAreEqualToThoseOfTheSDK(t *testing.T) {
	db := fixture.ForTest(t)
	fast, slow := dolmenaws.NewClient(db), plain(db)
	for sort := 0; sort < 3; sort++ {
		put(t, fast, everything(sort))
	}
	for _, sort := range []int{0, 7} {
		for _, capacity := range []types.ReturnConsumedCapacity{"", "TOTAL", "INDEXES"} {
			input := &dynamodb.GetItemInput{
				TableName: aws.String("app"), Key: key(sort), ReturnConsumedCapacity: capacity,
			}
			found, err := fast.GetItem(ctx, input)
			expected, expectedError := slow.GetItem(ctx, input)
			sameOutputs(t, found, expected, err, expectedError)
		}
	}
	for _, input := range []*dynamodb.QueryInput{
		{}, {Limit: aws.Int32(2)}, {Select: "COUNT"}, {ReturnConsumedCapacity: "TOTAL"},
		{ExpressionAttributeValues: item{":pk": text("none")}},
	} {
		input.TableName, input.KeyConditionExpression = aws.String("app"), aws.String("PK = :pk")
		if input.ExpressionAttributeValues == nil {
			input.ExpressionAttributeValues = item{":pk": text("a")}
		}
		found, err := fast.Query(ctx, input)
		expected, expectedError := slow.Query(ctx, input)
		sameOutputs(t, found, expected, err, expectedError)
	}
	for _, input := range []*dynamodb.ScanInput{{}, {Limit: aws.Int32(2)}, {Select: "COUNT"}} {
		input.TableName = aws.String("app")
		found, err := fast.Scan(ctx, input)
		expected, expectedError := slow.Scan(ctx, input)
		sameOutputs(t, found, expected, err, expectedError)
	}
}

func TestErrorsHaveTheTypesOfTheSDK(t *testing.T) {
	client := dolmenaws.NewClient(fixture.ForTest(t))
	put(t, client, key(1))
	_, err := client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("app"), Item: key(1),
		ConditionExpression: aws.String("attribute_not_exists(PK)"),
	})
	var failed *types.ConditionalCheckFailedException
	if !errors.As(err, &failed) {
		t.Error(err)
	}
	_, err = client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("none"), Key: key(1)})
	var missing *types.ResourceNotFoundException
	if !errors.As(err, &missing) {
		t.Error(err)
	}
}

func TestAClientOfAClosedDatabaseDoesNotRetry(t *testing.T) {
	db := fixture.ForTest(t)
	client := dolmenaws.NewClient(db)
	check(t, db.Close())
	_, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("app"), Key: key(1)})
	if !errors.Is(err, dolmen.ErrClosed) || strings.Contains(err.Error(), "maximum number of attempts") {
		t.Error(err)
	}
}

func TestAttachChangesOneClient(t *testing.T) {
	db, other := fixture.ForTest(t), fixture.ForTest(t)
	put(t, dolmenaws.NewClient(db), key(1))
	config := aws.Config{Region: "eu-west-1"}
	for _, test := range []struct {
		db    *dolmen.Database
		count int32
	}{{db, 1}, {other, 0}} {
		page, err := dynamodb.NewFromConfig(config, dolmenaws.Attach(test.db)).Scan(
			ctx, &dynamodb.ScanInput{TableName: aws.String("app")})
		check(t, err)
		if page.Count != test.count {
			t.Errorf("%d items, not %d", page.Count, test.count)
		}
	}
}

func TestGoroutinesShareAClient(t *testing.T) {
	client := dolmenaws.NewClient(fixture.ForTest(t))
	var done sync.WaitGroup
	for writer := 0; writer < 8; writer++ {
		done.Add(1)
		go func(writer int) {
			defer done.Done()
			for sort := writer * 50; sort < writer*50+50; sort++ {
				_, err := client.PutItem(ctx, &dynamodb.PutItemInput{
					TableName: aws.String("app"), Item: key(sort),
				})
				if err == nil {
					_, err = client.Scan(ctx, &dynamodb.ScanInput{
						TableName: aws.String("app"), Limit: aws.Int32(5),
					})
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		}(writer)
	}
	done.Wait()
	page, err := client.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("app")})
	check(t, err)
	if page.Count != 400 {
		t.Error(page.Count)
	}
}
