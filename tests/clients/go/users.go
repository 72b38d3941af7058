// Package users keeps the users of a platform in one table, like an application of the AWS SDK.
//
//	item      PK              SK              GSI1PK          GSI1SK
//	profile   USER#<id>       PROFILE
//	e-mail    USER#<id>       EMAIL#<email>   EMAIL#<email>   USER#<id>
//	claim     EMAIL#<email>   CLAIM
//	session   USER#<id>       SESSION#<id>
package users

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var (
	// ErrTaken says that a different user owns the e-mail address.
	ErrTaken = errors.New("the e-mail address is taken")
	// ErrStale says that the stored profile has changed since the caller read it.
	ErrStale = errors.New("the profile has changed since it was read")
	// ErrUnverified says that an e-mail address is not verified, so it cannot be the primary address.
	ErrUnverified = errors.New("the e-mail address is not verified")
)

// Profile is a user's record.
type Profile struct {
	UserID    string    `dynamodbav:"userId"`
	FirstName string    `dynamodbav:"firstName"`
	Phone     *string   `dynamodbav:"phone,omitempty"`
	Email     string    `dynamodbav:"email"`
	Version   int       `dynamodbav:"version"`
	CreatedAt time.Time `dynamodbav:"createdAt"`
}

// Email is an e-mail address of a user.
type Email struct {
	UserID     string `dynamodbav:"userId"`
	Address    string `dynamodbav:"email"`
	IsPrimary  bool   `dynamodbav:"isPrimary"`
	IsVerified bool   `dynamodbav:"isVerified"`
}

// Session is a login on a device.
type Session struct {
	ID        string                  `dynamodbav:"sessionId"`
	Scopes    []string                `dynamodbav:"scopes,stringset,omitempty"`
	ExpiresAt attributevalue.UnixTime `dynamodbav:"expiresAt"`
}

// Key is the primary key of an item.
type Key struct {
	PK string
	SK string
}

type indexed struct {
	Key
	GSI1PK string
	GSI1SK string
}

// Store is the platform's table.
type Store struct {
	Client *dynamodb.Client
	Table  string
}

func userKey(id, sort string) Key { return Key{PK: "USER#" + id, SK: sort} }

func normalize(address string) string { return strings.ToLower(strings.TrimSpace(address)) }

// marshal combines several structs into one item.
func marshal(parts ...any) (map[string]types.AttributeValue, error) {
	item := map[string]types.AttributeValue{}
	for _, part := range parts {
		attributes, err := attributevalue.MarshalMap(part)
		if err != nil {
			return nil, err
		}
		for name, value := range attributes {
			item[name] = value
		}
	}
	return item, nil
}

func (s *Store) key(id, sort string) map[string]types.AttributeValue {
	key, _ := attributevalue.MarshalMap(userKey(id, sort)) // two strings cannot fail
	return key
}

// putNew returns a Put of a new item. The Put fails if an item with this key exists.
func (s *Store) putNew(parts ...any) (types.TransactWriteItem, error) {
	item, err := marshal(parts...)
	return types.TransactWriteItem{Put: &types.Put{
		TableName:           &s.Table,
		Item:                item,
		ConditionExpression: aws.String("attribute_not_exists(PK)"),
	}}, err
}

// email returns the puts of an address's two items: the user's item and the claim to the address.
// The claim makes the address unique.
func (s *Store) email(email Email) ([]types.TransactWriteItem, error) {
	own, err := s.putNew(email, indexed{
		Key:    userKey(email.UserID, "EMAIL#"+email.Address),
		GSI1PK: "EMAIL#" + email.Address,
		GSI1SK: "USER#" + email.UserID,
	})
	if err != nil {
		return nil, err
	}
	claim, err := s.putNew(Key{PK: "EMAIL#" + email.Address, SK: "CLAIM"})
	return []types.TransactWriteItem{claim, own}, err
}

// transact runs the actions. `failed` holds the error to return if an action's condition fails.
func (s *Store) transact(
	ctx context.Context, actions []types.TransactWriteItem, failed map[int]error,
) error {
	_, err := s.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: actions,
	})
	var cancelled *types.TransactionCanceledException
	if errors.As(err, &cancelled) {
		for i, reason := range cancelled.CancellationReasons {
			if aws.ToString(reason.Code) == "ConditionalCheckFailed" && failed[i] != nil {
				return failed[i]
			}
		}
	}
	return err
}

// Register creates a user with one e-mail address, which is unverified.
func (s *Store) Register(ctx context.Context, profile Profile) error {
	profile.Email, profile.Version = normalize(profile.Email), 1
	actions, err := s.email(Email{UserID: profile.UserID, Address: profile.Email, IsPrimary: true})
	if err != nil {
		return err
	}
	put, err := s.putNew(profile, userKey(profile.UserID, "PROFILE"))
	if err != nil {
		return err
	}
	return s.transact(ctx, append(actions, put), map[int]error{0: ErrTaken})
}

// AddEmail adds an address to a user.
func (s *Store) AddEmail(ctx context.Context, id, address string) error {
	actions, err := s.email(Email{UserID: id, Address: normalize(address)})
	if err != nil {
		return err
	}
	return s.transact(ctx, actions, map[int]error{0: ErrTaken})
}

// Profile reads a user. It returns nil if the user does not exist.
func (s *Store) Profile(ctx context.Context, id string) (*Profile, error) {
	found, err := s.Client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &s.Table, Key: s.key(id, "PROFILE"), ConsistentRead: aws.Bool(true),
	})
	if err != nil || found.Item == nil {
		return nil, err
	}
	profile := new(Profile)
	return profile, attributevalue.UnmarshalMap(found.Item, profile)
}

// UserOf returns the id of the user with an e-mail address, or an empty text.
func (s *Store) UserOf(ctx context.Context, address string) (string, error) {
	built, err := expression.NewBuilder().
		WithKeyCondition(expression.Key("GSI1PK").Equal(expression.Value("EMAIL#" + normalize(address)))).
		WithProjection(expression.NamesList(expression.Name("userId"))).
		Build()
	if err != nil {
		return "", err
	}
	page, err := s.Client.Query(ctx, &dynamodb.QueryInput{
		TableName:                 &s.Table,
		IndexName:                 aws.String("GSI1"),
		KeyConditionExpression:    built.KeyCondition(),
		ProjectionExpression:      built.Projection(),
		ExpressionAttributeNames:  built.Names(),
		ExpressionAttributeValues: built.Values(),
		Limit:                     aws.Int32(1),
	})
	if err != nil || len(page.Items) == 0 {
		return "", err
	}
	var email Email
	err = attributevalue.UnmarshalMap(page.Items[0], &email)
	return email.UserID, err
}

// Emails returns a user's addresses in alphabetical order.
func (s *Store) Emails(ctx context.Context, id string) ([]Email, error) {
	return list[Email](ctx, s, id, "EMAIL#", nil)
}

// Verify marks an address of a user as verified.
func (s *Store) Verify(ctx context.Context, id, address string) error {
	built, err := expression.NewBuilder().
		WithUpdate(expression.Set(expression.Name("isVerified"), expression.Value(true))).
		WithCondition(expression.AttributeExists(expression.Name("PK"))).
		Build()
	if err != nil {
		return err
	}
	_, err = s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:                 &s.Table,
		Key:                       s.key(id, "EMAIL#"+normalize(address)),
		UpdateExpression:          built.Update(),
		ConditionExpression:       built.Condition(),
		ExpressionAttributeNames:  built.Names(),
		ExpressionAttributeValues: built.Values(),
	})
	return err
}

// SetPrimary makes a verified address the primary address, in one transaction.
func (s *Store) SetPrimary(ctx context.Context, id, from, to string) error {
	no := map[string]types.AttributeValue{":v": &types.AttributeValueMemberBOOL{Value: false}}
	yes := map[string]types.AttributeValue{":v": &types.AttributeValueMemberBOOL{Value: true}}
	address := map[string]types.AttributeValue{
		":v": &types.AttributeValueMemberS{Value: normalize(to)},
	}
	update := func(
		sort, update, condition string, values map[string]types.AttributeValue,
	) types.TransactWriteItem {
		return types.TransactWriteItem{Update: &types.Update{
			TableName:                 &s.Table,
			Key:                       s.key(id, sort),
			UpdateExpression:          &update,
			ConditionExpression:       &condition,
			ExpressionAttributeValues: values,
		}}
	}
	return s.transact(ctx, []types.TransactWriteItem{
		update("EMAIL#"+normalize(from), "SET isPrimary = :v", "isPrimary <> :v", no),
		update("EMAIL#"+normalize(to), "SET isPrimary = :v", "isVerified = :v", yes),
		update("PROFILE", "SET email = :v", "attribute_exists(PK)", address),
	}, map[int]error{1: ErrUnverified})
}

// Rename changes the name in a profile. If the stored profile has changed since the caller read it,
// Rename returns ErrStale and the stored profile.
func (s *Store) Rename(ctx context.Context, read Profile, name string) (*Profile, error) {
	version := expression.Name("version")
	built, err := expression.NewBuilder().
		WithUpdate(expression.
			Set(expression.Name("firstName"), expression.Value(name)).
			Set(version, expression.Plus(version, expression.Value(1)))).
		WithCondition(expression.Equal(version, expression.Value(read.Version))).
		Build()
	if err != nil {
		return nil, err
	}
	updated, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:                           &s.Table,
		Key:                                 s.key(read.UserID, "PROFILE"),
		UpdateExpression:                    built.Update(),
		ConditionExpression:                 built.Condition(),
		ExpressionAttributeNames:            built.Names(),
		ExpressionAttributeValues:           built.Values(),
		ReturnValues:                        types.ReturnValueAllNew,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	profile := new(Profile)
	var failed *types.ConditionalCheckFailedException
	if errors.As(err, &failed) {
		if err := attributevalue.UnmarshalMap(failed.Item, profile); err != nil {
			return nil, err
		}
		return profile, ErrStale
	}
	if err != nil {
		return nil, err
	}
	return profile, attributevalue.UnmarshalMap(updated.Attributes, profile)
}
