package dolmen_test

import (
	"encoding/json"
	"errors"
	"runtime"
	"testing"

	"dolmen"
)

// sortsOf returns the sort keys of the records.
func sortsOf(t testing.TB, records []byte) []string {
	var found []struct {
		Dynamodb struct {
			Keys struct{ SK struct{ S string } }
		}
	}
	if err := json.Unmarshal(records, &found); err != nil {
		t.Error(err)
	}
	var sorts []string
	for _, record := range found {
		sorts = append(sorts, record.Dynamodb.Keys.SK.S)
	}
	return sorts
}

func subscribe(t testing.TB, db *dolmen.Database, handler func([]byte) error) *dolmen.Subscription {
	t.Helper()
	subscription, err := db.Subscribe("app", "name", handler)
	check(t, err)
	return subscription
}

func TestAHandlerGetsTheChangesInOrder(t *testing.T) {
	db, sorts := newDatabase(t), make(chan string, 10)
	handler := func(records []byte) error {
		for _, sort := range sortsOf(t, records) {
			sorts <- sort
		}
		return nil
	}
	subscription := subscribe(t, db, handler)
	put(t, db, "1")
	put(t, db, "2")
	equal(t, "1", <-sorts)
	equal(t, "2", <-sorts)
	check(t, subscription.Close())
	check(t, subscription.Close())
	put(t, db, "3")
	subscribe(t, db, handler) // resumes
	equal(t, "3", <-sorts)
	_, err := db.Subscribe("app", "name", handler)
	expectError(t, err, "ResourceInUseException")
	_, err = db.Subscribe("none", "name", handler)
	expectError(t, err, "ResourceNotFoundException")
}

func TestAFailedHandlerGetsTheRecordsAgain(t *testing.T) {
	db, batches := newDatabase(t), make(chan string, 10)
	failures := 1
	subscribe(t, db, func(records []byte) error {
		batches <- string(records)
		if failures--; failures >= 0 {
			return errors.New("not now")
		}
		return nil
	})
	put(t, db, "1")
	equal(t, <-batches, <-batches)
}

func TestAHandlerThatEndsItsGoroutineGetsTheRecordsAgain(t *testing.T) {
	db, batches := newDatabase(t), make(chan string, 10)
	ends := 1
	subscribe(t, db, func(records []byte) error {
		batches <- string(records)
		if ends--; ends >= 0 {
			runtime.Goexit()
		}
		return nil
	})
	put(t, db, "1")
	equal(t, <-batches, <-batches)
}

func TestAHandlerUsesItsDatabaseButCannotCloseIt(t *testing.T) {
	db, results := newDatabase(t), make(chan error, 10)
	var subscription *dolmen.Subscription
	subscribed := make(chan struct{})
	subscription = subscribe(t, db, func([]byte) error {
		<-subscribed
		_, err := db.Execute("ListTables", []byte("{}"))
		results <- err
		fork, err := db.Fork()
		if err == nil {
			err = fork.Close()
		}
		results <- err
		results <- db.Close()
		results <- subscription.Close()
		return nil
	})
	close(subscribed)
	put(t, db, "1")
	check(t, <-results)
	check(t, <-results)
	expectError(t, <-results, "ValidationException")
	expectError(t, <-results, "ValidationException")
}

func TestCloseWaitsForTheHandler(t *testing.T) {
	db := newDatabase(t)
	called, finish, finished := make(chan struct{}), make(chan struct{}), false
	subscribe(t, db, func([]byte) error {
		close(called)
		<-finish
		_, err := db.Execute("ListTables", []byte("{}"))
		finished = errors.Is(err, dolmen.ErrClosed) || err == nil
		return nil
	})
	put(t, db, "1")
	<-called
	go close(finish)
	check(t, db.Close())
	equal(t, true, finished)
}
