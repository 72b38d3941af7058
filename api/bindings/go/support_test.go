package dolmen_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"dolmen"
)

var begin = time.Date(2026, 4, 15, 10, 30, 0, 0, time.UTC)

const table = `{
	"TableName": "app",
	"KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
	"AttributeDefinitions": [
		{"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"}],
	"BillingMode": "PAY_PER_REQUEST",
	"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"}}`

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// opened returns the database and closes it when the test ends.
func opened(t testing.TB) func(*dolmen.Database, error) *dolmen.Database {
	return func(db *dolmen.Database, err error) *dolmen.Database {
		t.Helper()
		check(t, err)
		t.Cleanup(func() { check(t, db.Close()) })
		return db
	}
}

// newDatabase opens a database in memory with the table app and a manual clock.
func newDatabase(t testing.TB) *dolmen.Database {
	t.Helper()
	db := opened(t)(dolmen.OpenInMemory(&dolmen.Options{ManualClock: begin, ExpiryLag: -1}))
	execute(t, db, "CreateTable", table)
	return db
}

func execute(t testing.TB, db *dolmen.Database, operation, request string) string {
	t.Helper()
	response, err := db.Execute(operation, []byte(request))
	check(t, err)
	return string(response)
}

func item(sort string) string {
	return fmt.Sprintf(`{"PK":{"S":"a"},"SK":{"S":%q}}`, sort)
}

func putRequest(sort string) []byte {
	return []byte(`{"TableName": "app", "Item": ` + item(sort) + `}`)
}

func getRequest(sort string) []byte {
	return []byte(`{"TableName": "app", "Key": ` + item(sort) + `}`)
}

func put(t testing.TB, db *dolmen.Database, sort string) {
	t.Helper()
	_, err := db.Execute("PutItem", putRequest(sort))
	check(t, err)
}

// has returns true if the database has the item.
func has(t testing.TB, db *dolmen.Database, sort string) bool {
	t.Helper()
	response, err := db.Execute("GetItem", getRequest(sort))
	check(t, err)
	var found struct{ Item map[string]any }
	check(t, json.Unmarshal(response, &found))
	return found.Item != nil
}

// expectError checks that the error is an *Error with this name.
func expectError(t testing.TB, err error, name string) *dolmen.Error {
	t.Helper()
	var told *dolmen.Error
	if !errors.As(err, &told) || told.Name != name || told.Message == "" {
		t.Fatalf("expected %s, found %v", name, err)
	}
	return told
}

func equal(t testing.TB, expected, found any) {
	t.Helper()
	if expected != found {
		t.Fatalf("expected %v, found %v", expected, found)
	}
}
