package dolmentest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dolmen"
	"dolmen/dolmentest"
)

const table = `{"TableName": "app", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}]}`

var begin = time.Date(2026, 4, 15, 10, 30, 0, 0, time.UTC)

var fills int

var fixture = dolmentest.Fixture{
	Seed: []byte(`{"Tables": [` + table + `]}`),
	Fill: func(db *dolmen.Database) error {
		fills++
		return put(db, "filled")
	},
	Options: dolmen.Options{ManualClock: begin},
}

func put(db *dolmen.Database, key string) error {
	_, err := db.Execute("PutItem",
		[]byte(`{"TableName": "app", "Item": {"PK": {"S": "`+key+`"}}}`))
	return err
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestEachTestGetsAForkOfTheFixture(t *testing.T) {
	for _, name := range []string{"one", "two", "three"} {
		name := name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := fixture.ForTest(t)
			check(t, put(db, name))
			response, err := db.Execute("Scan", []byte(`{"TableName": "app", "Select": "COUNT"}`))
			check(t, err)
			if string(response) != `{"Count":2,"ScannedCount":2}` {
				t.Error(string(response))
			}
		})
	}
	t.Cleanup(func() {
		if fills != 1 {
			t.Errorf("the fixture was filled %d times", fills)
		}
	})
}

func TestTheClockOfAForkStandsStill(t *testing.T) {
	db := fixture.ForTest(t)
	now, err := db.Advance(time.Hour)
	check(t, err)
	if !now.Equal(begin.Add(time.Hour)) {
		t.Error(now)
	}
	if now, err = fixture.ForTest(t).Clock(); err != nil || !now.Equal(begin) {
		t.Error(now, err)
	}
}

func TestAFailedTestLogsTheSimulatedFailures(t *testing.T) {
	r := &recorder{TB: t, failed: true}
	db := fixture.ForTest(r)
	check(t, db.Simulate([]byte(`{"Rules": [{"Fault": "Throttling"}]}`)))
	if err := put(db, "1"); err == nil {
		t.Error("the request did not fail")
	}
	for _, cleanup := range r.cleanups {
		cleanup()
	}
	if !strings.Contains(r.log, "PutItem table=app") {
		t.Error(r.log)
	}
}

func TestTheDatabaseIsClosedWhenTheTestEnds(t *testing.T) {
	var db *dolmen.Database
	t.Run("test", func(t *testing.T) { db = dolmentest.ForTest(t) })
	if _, err := db.Clock(); err != dolmen.ErrClosed {
		t.Error(err)
	}
}

// recorder is a test that records what happens to it.
type recorder struct {
	testing.TB
	failed   bool
	failure  string
	log      string
	cleanups []func()
}

func (r *recorder) Helper() {}

func (r *recorder) Failed() bool { return r.failed }

func (r *recorder) Cleanup(cleanup func()) { r.cleanups = append(r.cleanups, cleanup) }

func (r *recorder) Logf(format string, arguments ...any) { r.log += fmt.Sprintf(format, arguments...) }

func (r *recorder) Fatalf(format string, arguments ...any) {
	r.failure = format
	panic(r)
}

func TestAFixtureThatCannotBeFilledFailsTheTest(t *testing.T) {
	wrong := dolmentest.Fixture{Seed: []byte("no seed")}
	for round := 0; round < 2; round++ {
		r := &recorder{}
		func() {
			defer func() { _ = recover() }()
			wrong.ForTest(r)
		}()
		if r.failure != "the fixture cannot be filled: %v" {
			t.Error(r.failure)
		}
	}
}
