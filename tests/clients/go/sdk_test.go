package sdk

import (
	"errors"
	"fmt"
	"hash/crc32"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/aws/smithy-go"
)

// Key is the primary key of an item.
type Key struct {
	PK string
	SK string
}

// record has a field of each Go type that the SDK converts to an attribute value.
type record struct {
	Key
	Text    string
	Bytes   []byte
	Int     int64
	Float   float64
	Exact   attributevalue.Number
	Flag    bool
	None    *int
	Strings []string `dynamodbav:",stringset"`
	Numbers []int    `dynamodbav:",numberset"`
	Blobs   [][]byte `dynamodbav:",binaryset"`
	List    []any
	Nested  map[string]nested
	Time    time.Time
	Expires attributevalue.UnixTime
	Left    string `dynamodbav:",omitempty"`
}

type nested struct {
	Deep []nested `dynamodbav:"deep,omitempty"`
	N    int      `dynamodbav:"n"`
}

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func sample() record {
	return record{
		Key:     Key{PK: "p", SK: "1"},
		Text:    "Grüße, 世界 🎓",
		Bytes:   []byte{0, 255, 16},
		Int:     -9223372036854775808,
		Float:   0.1,
		Exact:   "1234567890123456789012345678901234.5678",
		Flag:    true,
		Strings: []string{"a", "b"},
		Numbers: []int{1, 2},
		Blobs:   [][]byte{{1}, {2}},
		List:    []any{"x", 1.5, nil, false, map[string]any{}},
		Nested:  map[string]nested{"a.b": {N: 1, Deep: []nested{{N: 2}}}},
		Time:    noon,
		Expires: attributevalue.UnixTime(noon.Local()),
	}
}

func marshal(t *testing.T, value any) map[string]types.AttributeValue {
	t.Helper()
	return must[map[string]types.AttributeValue](t)(attributevalue.MarshalMap(value))
}

func sampleKey(t *testing.T) map[string]types.AttributeValue { return marshal(t, sample().Key) }

func put(t *testing.T, store *Store, item any) {
	t.Helper()
	_, err := store.Client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &store.Table, Item: marshal(t, item),
	})
	check(t, err)
}

func stored[T any](t *testing.T, item map[string]types.AttributeValue) (value T) {
	t.Helper()
	check(t, attributevalue.UnmarshalMap(item, &value))
	return value
}

func TestEveryTypeIsReturnedAsItWasPut(t *testing.T) {
	store := newStore(t)
	put(t, store, sample())
	found, err := store.Client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &store.Table,
		Key:       sampleKey(t),
	})
	check(t, err)
	read := stored[record](t, found.Item)
	sort.Strings(read.Strings)
	sort.Ints(read.Numbers)
	sort.Slice(read.Blobs, func(i, j int) bool { return read.Blobs[i][0] < read.Blobs[j][0] })
	equal(t, sample(), read)
	equal(t, &types.AttributeValueMemberNULL{Value: true}, found.Item["None"])
	equal(t, &types.AttributeValueMemberN{Value: "-9223372036854775808"}, found.Item["Int"])
	equal(t, types.AttributeValue(nil), found.Item["Left"])
}

func TestConditionsOfTheExpressionBuilderSelectItems(t *testing.T) {
	store := newStore(t)
	put(t, store, sample())
	name, value := expression.Name, expression.Value
	for _, test := range []struct {
		condition expression.ConditionBuilder
		holds     bool
	}{
		{name("Text").BeginsWith("Grü"), true},
		{name("Text").Contains("世界"), true},
		{name("Strings").Contains("c"), false},
		{name("Int").LessThan(value(0)), true},
		{name("Float").Between(value(0.1), value(0.2)), true},
		{name("Float").In(value(1), value(0.1)), true},
		{name("None").AttributeExists(), true},
		{name("Left").AttributeNotExists(), true},
		{name("None").AttributeType(expression.Null), true},
		{name("List").Size().Equal(value(5)), true},
		{name("List[0]").Equal(value("x")), true},
		{expression.NameNoDotSplit("Nested").AttributeType(expression.Map), true},
		{name("Flag").Equal(value(false)).Not(), true},
		{name("Flag").Equal(value(true)).And(name("Int").GreaterThan(value(0))), false},
		{name("Flag").Equal(value(false)).Or(name("Absent").NotEqual(value(0))), true},
	} {
		built, err := expression.NewBuilder().WithFilter(test.condition).Build()
		check(t, err)
		page, err := store.Client.Scan(ctx, &dynamodb.ScanInput{
			TableName:                 &store.Table,
			FilterExpression:          built.Filter(),
			ExpressionAttributeNames:  built.Names(),
			ExpressionAttributeValues: built.Values(),
		})
		check(t, err)
		if (page.Count == 1) != test.holds || page.ScannedCount != 1 {
			t.Errorf("%s: %d of %d", *built.Filter(), page.Count, page.ScannedCount)
		}
	}
}

func TestUpdatesOfTheExpressionBuilderChangeTheItem(t *testing.T) {
	store := newStore(t)
	put(t, store, sample())
	name, value := expression.Name, expression.Value
	built, err := expression.NewBuilder().WithUpdate(expression.
		Set(name("Int"), name("Int").Plus(value(1))).
		Set(name("List"), name("List").ListAppend(value([]string{"y"}))).
		Set(name("Left"), name("Left").IfNotExists(value("found"))).
		Remove(name("None")).
		Add(name("Float"), value(0.2)).
		Delete(name("Strings"), value(&types.AttributeValueMemberSS{Value: []string{"a"}}))).
		Build()
	check(t, err)
	updated, err := store.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:                 &store.Table,
		Key:                       sampleKey(t),
		UpdateExpression:          built.Update(),
		ExpressionAttributeNames:  built.Names(),
		ExpressionAttributeValues: built.Values(),
		ReturnValues:              types.ReturnValueUpdatedNew,
	})
	check(t, err)
	equal(t, map[string]types.AttributeValue{
		"Int":     &types.AttributeValueMemberN{Value: "-9223372036854775807"},
		"Float":   &types.AttributeValueMemberN{Value: "0.3"},
		"Left":    &types.AttributeValueMemberS{Value: "found"},
		"Strings": &types.AttributeValueMemberSS{Value: []string{"b"}},
		"List": &types.AttributeValueMemberL{Value: []types.AttributeValue{
			&types.AttributeValueMemberS{Value: "x"},
			&types.AttributeValueMemberN{Value: "1.5"},
			&types.AttributeValueMemberNULL{Value: true},
			&types.AttributeValueMemberBOOL{Value: false},
			&types.AttributeValueMemberM{Value: map[string]types.AttributeValue{}},
			&types.AttributeValueMemberS{Value: "y"},
		}},
	}, updated.Attributes)
}

func TestErrorsHaveTheTypesOfTheApiModel(t *testing.T) {
	store := newStore(t)
	var missing *types.ResourceNotFoundException
	_, err := store.Client.DescribeTable(ctx, &dynamodb.DescribeTableInput{
		TableName: aws.String("nowhere"),
	})
	equal(t, true, errors.As(err, &missing))

	var used *types.ResourceInUseException
	_, err = store.Client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:   &store.Table,
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash},
		},
	})
	equal(t, true, errors.As(err, &used))
}

func TestAnErrorHasCodeMessageStatusAndRequestId(t *testing.T) {
	store := newStore(t)
	_, err := store.Client.Scan(ctx, &dynamodb.ScanInput{
		TableName: &store.Table, FilterExpression: aws.String("a = :a"),
	})
	var told smithy.APIError
	equal(t, true, errors.As(err, &told))
	equal(t, "ValidationException", told.ErrorCode())
	equal(t, "Invalid FilterExpression: An expression attribute value used in expression is not "+
		"defined; attribute value: :a", told.ErrorMessage())
	var response *awshttp.ResponseError
	equal(t, true, errors.As(err, &response))
	equal(t, http.StatusBadRequest, response.HTTPStatusCode())
	equal(t, true, response.ServiceRequestID() != "")
}

func TestEveryResponseHasTheChecksumOfItsBytes(t *testing.T) {
	client, spy := newClient(func(*dynamodb.Options) {})
	checksum := func() string { return strconv.Itoa(int(crc32.ChecksumIEEE(spy.body))) }
	_, err := client.ListTables(ctx, &dynamodb.ListTablesInput{})
	check(t, err)
	equal(t, checksum(), spy.header.Get("X-Amz-Crc32"))
	equal(t, strconv.Itoa(len(spy.body)), spy.header.Get("Content-Length"))
	equal(t, "application/x-amz-json-1.0", spy.header.Get("Content-Type"))
	_, err = client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String("no")})
	equal(t, true, err != nil)
	equal(t, checksum(), spy.header.Get("X-Amz-Crc32"))
}

// The server sends the checksum of the compressed bytes. The SDK compares the checksum with the
// response before it decompresses the response.
func TestAResponseIsCompressedOnRequest(t *testing.T) {
	if isInProcess {
		t.Skip("in process: it does not compress")
	}
	store := newStore(t)
	text := strings.Repeat("the same again and again ", 1000)
	put(t, store, map[string]string{"PK": "p", "SK": "1", "text": text})
	client, spy := newClient(func(o *dynamodb.Options) { o.EnableAcceptEncodingGzip = true })
	found, err := client.Scan(ctx, &dynamodb.ScanInput{TableName: &store.Table})
	check(t, err)
	equal(t, &types.AttributeValueMemberS{Value: text}, found.Items[0]["text"])
	equal(t, "gzip", spy.header.Get("Content-Encoding"))
	equal(t, strconv.Itoa(int(crc32.ChecksumIEEE(spy.body))), spy.header.Get("X-Amz-Crc32"))
	if len(spy.body) > len(text)/10 {
		t.Errorf("%d bytes", len(spy.body))
	}
}

func TestARepeatedTransactionWithTheSameTokenChangesNothing(t *testing.T) {
	store := newStore(t)
	first, second := fmt.Sprint(time.Now().UnixNano()), fmt.Sprint(time.Now().UnixNano(), "-2")
	add := func(n string, token string) error {
		_, err := store.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
			ClientRequestToken: &token,
			TransactItems: []types.TransactWriteItem{{Update: &types.Update{
				TableName:        &store.Table,
				Key:              marshal(t, Key{PK: "u1", SK: "COUNT"}),
				UpdateExpression: aws.String("ADD n :n"),
				ExpressionAttributeValues: map[string]types.AttributeValue{
					":n": &types.AttributeValueMemberN{Value: n},
				},
			}}},
		})
		return err
	}
	check(t, add("1", first))
	check(t, add("1", first))
	check(t, add("1", second))
	var mismatch *types.IdempotentParameterMismatchException
	equal(t, true, errors.As(add("2", first), &mismatch))
	found, err := store.Client.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{
		TransactItems: []types.TransactGetItem{
			{Get: &types.Get{TableName: &store.Table, Key: marshal(t, Key{PK: "u2", SK: "COUNT"})}},
			{Get: &types.Get{TableName: &store.Table, Key: marshal(t, Key{PK: "u1", SK: "COUNT"})}},
		},
	})
	check(t, err)
	equal(t, 2, len(found.Responses))
	equal(t, 0, len(found.Responses[0].Item))
	equal(t, &types.AttributeValueMemberN{Value: "2"}, found.Responses[1].Item["n"])
}

func TestTheSegmentsOfAScanTogetherHaveEveryItem(t *testing.T) {
	store := newStore(t)
	var expected []Key
	for n := 0; n < 100; n++ {
		expected = append(expected, Key{PK: fmt.Sprintf("p%02d", n%33), SK: fmt.Sprint(n)})
		put(t, store, expected[n])
	}
	const segments = 5
	parts := make([][]Key, segments)
	var done sync.WaitGroup
	for n := 0; n < segments; n++ {
		done.Add(1)
		go func(n int) {
			defer done.Done()
			pages := dynamodb.NewScanPaginator(store.Client, &dynamodb.ScanInput{
				TableName: &store.Table,
				Segment:   aws.Int32(int32(n)), TotalSegments: aws.Int32(segments),
				Limit: aws.Int32(4),
			})
			for pages.HasMorePages() {
				page, err := pages.NextPage(ctx)
				if err != nil {
					t.Error(err)
					return
				}
				for _, item := range page.Items {
					parts[n] = append(parts[n], stored[Key](t, item))
				}
			}
		}(n)
	}
	done.Wait()
	var found []Key
	for _, part := range parts {
		found = append(found, part...)
	}
	for _, keys := range [][]Key{expected, found} {
		sort.Slice(keys, func(i, j int) bool {
			return keys[i].PK+"/"+keys[i].SK < keys[j].PK+"/"+keys[j].SK
		})
	}
	equal(t, expected, found)
}

func TestAStreamHasTheChangesOfAnItem(t *testing.T) {
	store := newStore(t)
	changed := sample()
	changed.Text = "changed"
	put(t, store, sample())
	put(t, store, changed)

	streams := newStreams()
	described, err := store.Client.DescribeTable(ctx, &dynamodb.DescribeTableInput{
		TableName: &store.Table,
	})
	check(t, err)
	stream, err := streams.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{
		StreamArn: described.Table.LatestStreamArn,
	})
	check(t, err)
	equal(t, streamtypes.StreamStatusEnabled, stream.StreamDescription.StreamStatus)
	start, err := streams.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
		StreamArn:         described.Table.LatestStreamArn,
		ShardId:           stream.StreamDescription.Shards[0].ShardId,
		ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
	})
	check(t, err)
	var records []streamtypes.Record
	iterator := start.ShardIterator
	for calls := 0; len(records) < 2 && calls < 1000; calls++ {
		page, err := streams.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: iterator})
		check(t, err)
		records, iterator = append(records, page.Records...), page.NextShardIterator
	}
	equal(t, 2, len(records))
	equal(t, streamtypes.OperationTypeInsert, records[0].EventName)
	equal(t, 0, len(records[0].Dynamodb.OldImage))
	equal(t, streamtypes.OperationTypeModify, records[1].EventName)
	text := func(image map[string]streamtypes.AttributeValue) string {
		return stored[record](t, must[map[string]types.AttributeValue](t)(
			attributevalue.FromDynamoDBStreamsMap(image))).Text
	}
	equal(t, sample().Text, text(records[1].Dynamodb.OldImage))
	equal(t, "changed", text(records[1].Dynamodb.NewImage))
}
