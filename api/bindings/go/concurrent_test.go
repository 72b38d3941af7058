package dolmen_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"dolmen"
)

const goroutines = 8

// steps returns DOLMEN_STEPS, or the default.
func steps(t testing.TB, standard int) int {
	t.Helper()
	text := os.Getenv("DOLMEN_STEPS")
	if text == "" {
		return standard
	}
	number, err := strconv.Atoi(text)
	check(t, err)
	return number
}

// together runs the function in 8 goroutines, which begin at the same time, and waits for them.
func together(t *testing.T, run func(number int) error) {
	t.Helper()
	var done sync.WaitGroup
	begin := make(chan struct{})
	for number := 0; number < goroutines; number++ {
		done.Add(1)
		go func(number int) {
			defer done.Done()
			<-begin
			if err := run(number); err != nil {
				t.Error(err)
			}
		}(number)
	}
	close(begin)
	done.Wait()
}

func TestGoroutinesShareADatabase(t *testing.T) {
	db := newDatabase(t)
	const increment = `{"TableName": "app", "Key": {"PK": {"S": "a"}, "SK": {"S": "count"}},
		"UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}`
	const rounds = 100
	together(t, func(number int) error {
		for round := 0; round < rounds; round++ {
			sort := fmt.Sprint(number, "-", round)
			if _, err := db.Execute("PutItem", putRequest(sort)); err != nil {
				return err
			}
			if _, err := db.Execute("UpdateItem", []byte(increment)); err != nil {
				return err
			}
			found, err := db.Execute("GetItem", getRequest(sort))
			if err != nil || string(found) != `{"Item":`+item(sort)+`}` {
				return fmt.Errorf("%s: %s, %v", sort, found, err)
			}
			if round%10 != 0 {
				continue
			}
			fork, err := db.Fork()
			if err != nil {
				return err
			}
			if err := fork.Close(); err != nil {
				return err
			}
		}
		return nil
	})
	var page struct {
		Count int
		Items []struct{ N struct{ N string } }
	}
	check(t, json.Unmarshal([]byte(execute(t, db, "Scan", `{"TableName": "app"}`)), &page))
	equal(t, goroutines*rounds+1, page.Count)
	equal(t, strconv.Itoa(goroutines*rounds), page.Items[page.Count-1].N.N)
}

func TestCloseWaitsForTheCallsOfGoroutines(t *testing.T) {
	path := t.TempDir()
	db, err := dolmen.Open(path, nil)
	check(t, err)
	execute(t, db, "CreateTable", table)
	reopen := func() error {
		if err := db.Close(); err != nil {
			return err
		}
		again, err := dolmen.Open(path, nil)
		if err != nil {
			return err
		}
		return again.Close()
	}
	write := func() error {
		for sort := 0; ; sort++ {
			_, err := db.Execute("PutItem", putRequest(strconv.Itoa(sort)))
			if errors.Is(err, dolmen.ErrClosed) {
				return nil
			}
			if err != nil {
				return err
			}
		}
	}
	together(t, func(number int) error {
		switch number {
		case 0:
			return reopen()
		case 1:
			return db.Close()
		}
		return write()
	})
}

// TestCallsDoNotMakeTheProcessGrow makes 20000 calls, or DOLMEN_STEPS. The margin is the memory that a
// process takes while its caches and its heap find their final size.
func TestCallsDoNotMakeTheProcessGrow(t *testing.T) {
	const margin = 8 << 20
	db := newDatabase(t)
	client := db.HTTPClient()
	for sort := 0; sort < 100; sort++ {
		put(t, db, strconv.Itoa(sort))
	}
	query := []byte(`{"TableName": "app", "KeyConditionExpression": "PK = :p", "Limit": 50,
		"ExpressionAttributeValues": {":p": {"S": "a"}}}`)
	refused := []byte(`{"TableName": "app", "Item": ` + item("7") + `,
		"ConditionExpression": "attribute_not_exists(PK)"}`)
	call := func(number int) {
		switch number % 4 {
		case 0:
			has(t, db, "7")
		case 1:
			execute(t, db, "Query", string(query))
		case 2:
			_, err := db.Execute("PutItem", refused)
			expectError(t, err, "ConditionalCheckFailedException")
		case 3:
			response, err := client.Do(httpRequest("DynamoDB_20120810.Query", string(query)))
			check(t, err)
			check(t, response.Body.Close())
		}
		if number%1000 == 0 {
			fork, err := db.Fork()
			check(t, err)
			subscription, err := fork.Subscribe("app", "name", func([]byte) error { return nil })
			check(t, err)
			check(t, fork.Reset())
			check(t, subscription.Close())
			check(t, fork.Close())
		}
	}
	for number := 0; number < 10_000; number++ {
		call(number)
	}
	before := residentBytes(t)
	calls := steps(t, 20_000)
	for number := 0; number < calls; number++ {
		call(number)
	}
	growth := residentBytes(t) - before
	t.Logf("%d calls, resident memory %d kB, growth %d kB", calls, before>>10, growth>>10)
	if growth > margin {
		t.Error("the process has grown")
	}
}

func residentBytes(t testing.TB) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	check(t, err)
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	check(t, err)
	return pages * os.Getpagesize()
}
