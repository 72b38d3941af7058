//go:build !in_process

package sdk

import (
	"net/http"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

const isInProcess = false

// transport executes the requests of all clients.
var transport = http.DefaultTransport

// attach is an option of each client of DynamoDB.
func attach(*dynamodb.Options) {}
