// Command client sends requests by the AWS SDK from several goroutines, for bench.py.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var ctx = context.Background()

// call is a prepared request. It returns the number of items in its response.
type call func() (int, error)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// inputOf returns the request as an input of the SDK. The SDK has no function for that.
func inputOf[T any](request string) *T {
	var members map[string]any
	check(json.Unmarshal([]byte(request), &members))
	input := new(T)
	for name, member := range members {
		field := reflect.ValueOf(input).Elem().FieldByName(name)
		switch member := member.(type) {
		case map[string]any:
			field.Set(reflect.ValueOf(valuesOf(member)))
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

// valuesOf returns the attributes, which are all texts or booleans.
func valuesOf(attributes map[string]any) map[string]types.AttributeValue {
	values := map[string]types.AttributeValue{}
	for name, typed := range attributes {
		for _, value := range typed.(map[string]any) {
			switch value := value.(type) {
			case string:
				values[name] = &types.AttributeValueMemberS{Value: value}
			case bool:
				values[name] = &types.AttributeValueMemberBOOL{Value: value}
			}
		}
	}
	return values
}

func callOf(client *dynamodb.Client, operation, request string) call {
	switch operation {
	case "GetItem":
		input := inputOf[dynamodb.GetItemInput](request)
		return func() (int, error) {
			output, err := client.GetItem(ctx, input)
			if err != nil || output.Item == nil {
				return 0, err
			}
			return 1, nil
		}
	case "Query":
		input := inputOf[dynamodb.QueryInput](request)
		return func() (int, error) {
			output, err := client.Query(ctx, input)
			if err != nil {
				return 0, err
			}
			return len(output.Items), nil
		}
	default:
		input := inputOf[dynamodb.PutItemInput](request)
		return func() (int, error) {
			_, err := client.PutItem(ctx, input)
			return 0, err
		}
	}
}

func readCalls(client *dynamodb.Client, path string) []call {
	file, err := os.Open(path)
	check(err)
	defer file.Close()
	var calls []call
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		operation, request, _ := strings.Cut(lines.Text(), "\t")
		calls = append(calls, callOf(client, operation, request))
	}
	check(lines.Err())
	return calls
}

func cpu() time.Duration {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func wait(seconds string) {
	number, err := strconv.ParseFloat(seconds, 64)
	check(err)
	time.Sleep(time.Duration(number * float64(time.Second)))
}

func main() {
	threads, err := strconv.Atoi(os.Args[3])
	check(err)
	credentials := aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil
	})
	client := dynamodb.New(dynamodb.Options{
		Region: "us-east-1", Credentials: credentials, BaseEndpoint: aws.String(os.Args[1]),
		HTTPClient: awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) {
			t.MaxIdleConnsPerHost = threads // more connections would be closed after each call
		}),
	})
	calls := readCalls(client, os.Args[2])

	const warmUp, measured, end = 0, 1, 2
	var phase atomic.Int32
	var sent, items atomic.Int64
	var running sync.WaitGroup
	for thread := 0; thread < threads; thread++ {
		running.Add(1)
		go func(next int) {
			defer running.Done()
			for ; phase.Load() != end; next++ {
				found, err := calls[next%len(calls)]()
				check(err)
				if phase.Load() == measured {
					sent.Add(1)
					items.Add(int64(found))
				}
			}
		}(thread * len(calls) / threads)
	}
	wait(os.Args[4])
	used, begin := cpu(), time.Now()
	phase.Store(measured)
	wait(os.Args[5])
	phase.Store(end)
	passed := time.Since(begin)
	used = cpu() - used
	running.Wait()
	fmt.Println(sent.Load(), items.Load(), passed.Seconds(), used.Seconds())
}
