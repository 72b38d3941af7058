package users

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// list reads all items of a user whose sort key begins with `prefix`, in pages of seven.
func list[T any](
	ctx context.Context, s *Store, id, prefix string, filter *expression.ConditionBuilder,
) ([]T, error) {
	builder := expression.NewBuilder().WithKeyCondition(expression.KeyAnd(
		expression.Key("PK").Equal(expression.Value("USER#"+id)),
		expression.Key("SK").BeginsWith(prefix)))
	if filter != nil {
		builder = builder.WithFilter(*filter)
	}
	built, err := builder.Build()
	if err != nil {
		return nil, err
	}
	pages := dynamodb.NewQueryPaginator(s.Client, &dynamodb.QueryInput{
		TableName:                 &s.Table,
		KeyConditionExpression:    built.KeyCondition(),
		FilterExpression:          built.Filter(),
		ExpressionAttributeNames:  built.Names(),
		ExpressionAttributeValues: built.Values(),
		Limit:                     aws.Int32(7),
	})
	var all []T
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		var some []T
		if err := attributevalue.UnmarshalListOfMaps(page.Items, &some); err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// StartSession logs a user in.
func (s *Store) StartSession(ctx context.Context, id string, session Session) error {
	item, err := marshal(session, userKey(id, "SESSION#"+session.ID))
	if err != nil {
		return err
	}
	_, err = s.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &s.Table, Item: item})
	return err
}

// ActiveSessions returns the sessions that expire after `now`. The table can also hold expired
// sessions.
func (s *Store) ActiveSessions(ctx context.Context, id string, now time.Time) ([]Session, error) {
	active := expression.Name("expiresAt").GreaterThan(expression.Value(now.Unix()))
	return list[Session](ctx, s, id, "SESSION#", &active)
}

// EndSessions deletes all sessions of a user and returns their number.
func (s *Store) EndSessions(ctx context.Context, id string) (int, error) {
	keys, err := list[Key](ctx, s, id, "SESSION#", nil)
	if err != nil {
		return 0, err
	}
	for start := 0; start < len(keys); start += 25 {
		var requests []types.WriteRequest
		for _, key := range keys[start:min(start+25, len(keys))] {
			requests = append(requests, types.WriteRequest{
				DeleteRequest: &types.DeleteRequest{Key: s.key(id, key.SK)},
			})
		}
		unprocessed := map[string][]types.WriteRequest{s.Table: requests}
		for len(unprocessed) > 0 {
			written, err := s.Client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
				RequestItems: unprocessed,
			})
			if err != nil {
				return 0, err
			}
			unprocessed = written.UnprocessedItems
		}
	}
	return len(keys), nil
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}
