package orders

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Shop is a database with the contents of orders.json, on a server that README.md tells how to
// start. Its access key belongs to one test.
type Shop struct {
	*testing.T
	AccessKey string
	Client    *dynamodb.Client
}

// Rule is a fault and the calls in which it can happen.
type Rule map[string]any

func endpoint() string {
	if given := os.Getenv("DOLMEN_ENDPOINT"); given != "" {
		return given
	}
	return "http://127.0.0.1:8000"
}

// NewShop returns the database of a test. If the test fails, it prints the faults.
func NewShop(t *testing.T) Shop {
	accessKey := fmt.Sprintf("go-%d-%s", time.Now().UnixNano(), strings.ReplaceAll(t.Name(), "/", "-"))
	client := dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(endpoint()),
		Region:       "us-east-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: accessKey, SecretAccessKey: "any"}, nil
		}),
	})
	shop := Shop{T: t, AccessKey: accessKey, Client: client}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(shop.Control("GET", "simulate", nil))
		}
	})
	return shop
}

// Service returns the mended service. It moves the clock of the database instead of waiting.
func (s Shop) Service() Service {
	return Service{FirstService{s.Client, s.Now, s.Advance}}
}

// Control sends a control request and returns the answer.
func (s Shop) Control(method, path string, body any) map[string]any {
	s.Helper()
	var sent bytes.Buffer
	if body != nil {
		s.Check(json.NewEncoder(&sent).Encode(body))
	}
	request, err := http.NewRequest(method, endpoint()+"/_dolmen/"+path, &sent)
	s.Check(err)
	request.Header.Set("X-Dolmen-Access-Key", s.AccessKey)
	response, err := http.DefaultClient.Do(request)
	s.Check(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	s.Check(err)
	var answer map[string]any
	s.Check(json.Unmarshal(text, &answer))
	if response.StatusCode != http.StatusOK {
		s.Fatalf("%s %s: %s", method, path, text)
	}
	return answer
}

// Simulate begins the faults of the rules, which follow from the seed.
func (s Shop) Simulate(rules ...Rule) {
	s.Control("POST", "simulate", map[string]any{"Seed": 4, "Rules": rules})
}

func (s Shop) SetClock(time string) { s.Control("POST", "clock?set="+time, nil) }

func (s Shop) Advance(by time.Duration) {
	s.Control("POST", fmt.Sprintf("clock?advance=%g", by.Seconds()), nil)
}

func (s Shop) Now() time.Time {
	now, err := time.Parse(time.RFC3339, s.Control("GET", "clock", nil)["Now"].(string))
	s.Check(err)
	return now
}

// Stock returns the number of products in the stock.
func (s Shop) Stock(product string) int {
	got, err := s.Client.GetItem(context.Background(), &dynamodb.GetItemInput{
		TableName: shop, Key: key("PRODUCT#"+product, "STOCK"),
	})
	s.Check(err)
	var item struct{ Stock int }
	s.Check(attributevalue.UnmarshalMap(got.Item, &item))
	return item.Stock
}

func (s Shop) Check(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}
