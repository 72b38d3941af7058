// Package dolmenaws connects clients of aws-sdk-go-v2 to a database in the process.
package dolmenaws

import (
	"dolmen"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
)

// NewClient returns a client whose requests the database executes.
func NewClient(db *dolmen.Database, options ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{}, append([]func(*dynamodb.Options){Attach(db)}, options...)...)
}

// Attach returns an option of dynamodb.New and dynamodb.NewFromConfig. The database executes the
// requests of that client, without a signature. A client without a region gets "us-east-1".
//
// Responses of GetItem, Query and Scan are read by this package, several times as fast as by the SDK
// and with the same results. All other parts of the SDK, such as retries, work as over HTTP.
func Attach(db *dolmen.Database) func(*dynamodb.Options) {
	return func(options *dynamodb.Options) {
		options.HTTPClient = db.HTTPClient()
		options.Credentials = aws.AnonymousCredentials{}
		// The checksum protects a response on its way through a network.
		options.DisableValidateResponseChecksum = true
		if options.Region == "" {
			options.Region = "us-east-1"
		}
		options.APIOptions = append(options.APIOptions[:len(options.APIOptions):len(options.APIOptions)],
			readFast)
	}
}

// readFast replaces the SDK's reader of responses.
func readFast(stack *middleware.Stack) error {
	const reader = "OperationDeserializer"
	found, ok := stack.Deserialize.Get(reader)
	if !ok {
		return nil
	}
	_, err := stack.Deserialize.Swap(reader, &fastReader{found})
	return err
}
