package dolmenaws

import (
	"bytes"
	"context"
	"io"
	"net/http"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// fastReader reads responses. The SDK's reader reads all responses that this package does not know.
type fastReader struct {
	middleware.DeserializeMiddleware
}

// HandleDeserialize executes the request and reads the response.
func (r *fastReader) HandleDeserialize(
	ctx context.Context, in middleware.DeserializeInput, next middleware.DeserializeHandler,
) (middleware.DeserializeOutput, middleware.Metadata, error) {
	read := readers[awsmiddleware.GetOperationName(ctx)]
	if read == nil {
		return r.DeserializeMiddleware.HandleDeserialize(ctx, in, next)
	}
	out, metadata, err := next.HandleDeserialize(ctx, in)
	response, ok := out.RawResponse.(*smithyhttp.Response)
	if err == nil && ok && response.StatusCode == http.StatusOK {
		body, failed := io.ReadAll(response.Body)
		if failed != nil {
			return out, metadata, failed
		}
		if result := read(body); result != nil {
			out.Result = result
			return out, metadata, nil
		}
		response.Body = io.NopCloser(bytes.NewReader(body))
	}
	return r.DeserializeMiddleware.HandleDeserialize(ctx, in, done{out, metadata, err})
}

// done is a request that has been executed.
type done struct {
	out      middleware.DeserializeOutput
	metadata middleware.Metadata
	err      error
}

// HandleDeserialize returns the response.
func (d done) HandleDeserialize(
	context.Context, middleware.DeserializeInput,
) (middleware.DeserializeOutput, middleware.Metadata, error) {
	return d.out, d.metadata, d.err
}

// readers has the function that reads the responses of an operation. It returns nil if a response has
// a member that it does not know.
var readers = map[string]func(body []byte) any{
	"GetItem": readGetItem,
	"Query":   readQuery,
	"Scan":    readScan,
}

func readGetItem(body []byte) any {
	p, output := newParser(body), &dynamodb.GetItemOutput{}
	p.object(func(name []byte) {
		if string(name) == "Item" {
			output.Item = p.item()
		} else {
			p.fail()
		}
	})
	if !p.isAtEnd() {
		return nil
	}
	return output
}

func readQuery(body []byte) any {
	p, output := newParser(body), &dynamodb.QueryOutput{}
	p.object(func(name []byte) {
		switch string(name) {
		case "Items":
			output.Items = p.items()
		case "Count":
			output.Count = p.count()
		case "ScannedCount":
			output.ScannedCount = p.count()
		case "LastEvaluatedKey":
			output.LastEvaluatedKey = p.item()
		default:
			p.fail()
		}
	})
	if !p.isAtEnd() {
		return nil
	}
	return output
}

func readScan(body []byte) any {
	page, ok := readQuery(body).(*dynamodb.QueryOutput)
	if !ok {
		return nil
	}
	return &dynamodb.ScanOutput{
		Items:            page.Items,
		Count:            page.Count,
		ScannedCount:     page.ScannedCount,
		LastEvaluatedKey: page.LastEvaluatedKey,
	}
}
