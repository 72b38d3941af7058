package dolmen

import (
	"encoding/json"
	"strings"

	"dolmen/internal/native"
)

// Error is an error of a request or of the database.
type Error struct {
	Name     string // DynamoDB's name of the error, for example "ConditionalCheckFailedException"
	Message  string
	Status   int    // the HTTP status of DynamoDB's response, for example 400
	Response []byte // DynamoDB's JSON, for example with the Item of a failed condition
}

func (e *Error) Error() string {
	return e.Name + ": " + e.Message
}

// ErrClosed is the error of a call after Close.
var ErrClosed error = closedError{}

type closedError struct{}

func (closedError) Error() string { return "dolmen: the database is closed" }

// RetryableError tells the AWS SDK not to repeat the request.
func (closedError) RetryableError() bool { return false }

// check returns the error of a response, or nil if the status is that of a success.
func check(status int, response []byte) error {
	if status == native.OK {
		return nil
	}
	var members struct {
		Type    string `json:"__type"`
		Message string // also reads "message"
	}
	// An unreadable response has no members, and its bytes are in Error.Response.
	_ = json.Unmarshal(response, &members)
	name := members.Type[strings.LastIndexByte(members.Type, '#')+1:]
	return &Error{name, members.Message, status, response}
}

// validation returns the error of a wrong argument that the library does not see.
func validation(message string) error {
	response, _ := json.Marshal(map[string]string{
		"__type": "com.amazon.coral.validate#ValidationException", "message": message,
	})
	return check(400, response)
}

// checkTexts returns an error if an argument has a zero byte, at which C would end it.
func checkTexts(arguments ...string) error {
	for _, argument := range arguments {
		if !native.IsText(argument) {
			return validation("an argument contains a zero byte")
		}
	}
	return nil
}
