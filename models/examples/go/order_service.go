// Package orders is a small order service, twice: FirstService has four bugs, Service is mended.
//
// The table "shop" is in ../orders.json.
package orders

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// ErrNoOrder says that the order does not exist, or was reserved and has expired.
var ErrNoOrder = errors.New("the order does not exist")

// Order is an item of the table. Expires is the end of a reservation in seconds since 1970.
type Order struct {
	PK, SK  string
	ID      string `dynamodbav:"id"`
	Product string `dynamodbav:"product"`
	Expires int64  `dynamodbav:"expires,omitempty"`
}

// NewOrder returns an order with its key.
func NewOrder(customer, id, product string) Order {
	return Order{PK: "CUSTOMER#" + customer, SK: "ORDER#" + id, ID: id, Product: product}
}

// FirstService is the first version. It passes every test without faults.
type FirstService struct {
	Client *dynamodb.Client
	// A test sets functions that use its own clock.
	Now  func() time.Time
	Wait func(time.Duration)
}

// Service is the mended version.
type Service struct{ FirstService }

// Place takes one product from the stock and stores the order.
//
// Bug: if the answer is lost, the SDK sends the update again, which takes a second product.
func (s FirstService) Place(ctx context.Context, order Order) error {
	take := takeOne(order.Product)
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:                 take.TableName,
		Key:                       take.Key,
		UpdateExpression:          take.UpdateExpression,
		ConditionExpression:       take.ConditionExpression,
		ExpressionAttributeValues: take.ExpressionAttributeValues,
	})
	if err != nil {
		return err
	}
	item, err := attributevalue.MarshalMap(order)
	if err != nil {
		return err
	}
	_, err = s.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: shop, Item: item})
	return err
}

// Place does the same in one transaction, which can be sent several times. The token makes a
// repeated request harmless for ten minutes, and the condition makes it harmless after that time.
func (s Service) Place(ctx context.Context, order Order) error {
	item, err := attributevalue.MarshalMap(order)
	if err != nil {
		return err
	}
	put := &types.Put{
		TableName: shop, Item: item, ConditionExpression: aws.String("attribute_not_exists(PK)"),
	}
	_, err = s.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: &order.ID,
		TransactItems:      []types.TransactWriteItem{{Update: takeOne(order.Product)}, {Put: put}},
	})
	return err
}

// ImportAll stores up to 25 orders that another shop has sold.
//
// Bug: the answer can hold unprocessed items, which are lost.
func (s FirstService) ImportAll(ctx context.Context, orders []Order) error {
	requests, err := putRequests(orders)
	if err != nil {
		return err
	}
	_, err = s.Client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: requests})
	return err
}

// ImportAll sends unprocessed items again until none are left, and waits longer each time.
func (s Service) ImportAll(ctx context.Context, orders []Order) error {
	left, err := putRequests(orders)
	for delay := 50 * time.Millisecond; err == nil; delay *= 2 {
		var answer *dynamodb.BatchWriteItemOutput
		answer, err = s.Client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: left})
		if err != nil || len(answer.UnprocessedItems) == 0 {
			break
		}
		left = answer.UnprocessedItems
		s.Wait(delay)
	}
	return err
}

// List returns the ids of the customer's orders.
//
// Bug: a query returns one page.
func (s FirstService) List(ctx context.Context, customer string) ([]string, error) {
	page, err := s.Client.Query(ctx, ordersOf(customer))
	if err != nil {
		return nil, err
	}
	return idsOf(page.Items)
}

// List reads all pages.
func (s Service) List(ctx context.Context, customer string) ([]string, error) {
	var items []map[string]types.AttributeValue
	pages := dynamodb.NewQueryPaginator(s.Client, ordersOf(customer))
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		items = append(items, page.Items...)
	}
	return idsOf(items)
}

// Find returns the order, or ErrNoOrder.
//
// Bug: an expired item can be read until AWS deletes it, which can take some days.
func (s FirstService) Find(ctx context.Context, customer, id string) (Order, error) {
	var order Order
	got, err := s.Client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: shop, Key: key("CUSTOMER#"+customer, "ORDER#"+id),
	})
	if err != nil {
		return order, err
	}
	if got.Item == nil {
		return order, ErrNoOrder
	}
	return order, attributevalue.UnmarshalMap(got.Item, &order)
}

// Find also compares the time of the item with the clock.
func (s Service) Find(ctx context.Context, customer, id string) (Order, error) {
	order, err := s.FirstService.Find(ctx, customer, id)
	if err == nil && order.Expires != 0 && order.Expires <= s.Now().Unix() {
		return Order{}, ErrNoOrder
	}
	return order, err
}

var shop = aws.String("shop")

func key(pk, sk string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		"PK": &types.AttributeValueMemberS{Value: pk}, "SK": &types.AttributeValueMemberS{Value: sk},
	}
}

// takeOne returns the update that takes one product from the stock.
func takeOne(product string) *types.Update {
	return &types.Update{
		TableName:           shop,
		Key:                 key("PRODUCT#"+product, "STOCK"),
		UpdateExpression:    aws.String("SET stock = stock - :one"),
		ConditionExpression: aws.String("stock >= :one"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":one": &types.AttributeValueMemberN{Value: "1"},
		},
	}
}

func putRequests(orders []Order) (map[string][]types.WriteRequest, error) {
	var requests []types.WriteRequest
	for _, order := range orders {
		item, err := attributevalue.MarshalMap(order)
		if err != nil {
			return nil, err
		}
		requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
	}
	return map[string][]types.WriteRequest{*shop: requests}, nil
}

func ordersOf(customer string) *dynamodb.QueryInput {
	return &dynamodb.QueryInput{
		TableName:              shop,
		KeyConditionExpression: aws.String("PK = :customer"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":customer": &types.AttributeValueMemberS{Value: "CUSTOMER#" + customer},
		},
	}
}

func idsOf(items []map[string]types.AttributeValue) ([]string, error) {
	var ids []string
	for _, item := range items {
		var order Order
		if err := attributevalue.UnmarshalMap(item, &order); err != nil {
			return nil, err
		}
		ids = append(ids, order.ID)
	}
	return ids, nil
}
