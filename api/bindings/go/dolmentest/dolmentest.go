// Package dolmentest gives each test a database of its own.
//
//	var fixture = dolmentest.Fixture{Seed: shop} // or Fill: a function that creates the tables
//
//	func TestAnOrderExpires(t *testing.T) {
//		db := fixture.ForTest(t)
//		...
//	}
package dolmentest

import (
	"strings"
	"sync"
	"testing"
	"time"

	"dolmen"
)

// Fixture is a database in memory that is filled once, by its first test. Each test gets a fork, so
// tests cannot disturb each other, also if they run in parallel. A Fixture must not be copied after
// its first use.
type Fixture struct {
	// Seed is a seed of Database.LoadSeed. Empty: no tables.
	Seed []byte
	// Fill, if it is not nil, is called after the seed is loaded.
	Fill func(db *dolmen.Database) error
	// Options are the options of the database. Without a ManualClock the clock begins with the
	// machine's time and stands still. Without an ExpiryLag only Expire deletes expired items. Each
	// fork can simulate failures (Database.Simulate).
	Options dolmen.Options

	once sync.Once
	base *dolmen.Database
	err  error
}

// ForTest returns a fork of the fixture, which is closed when the test ends. If the fixture cannot be
// filled, the test fails at once. If a test fails, its log has the trace of the simulated failures.
func (f *Fixture) ForTest(t testing.TB) *dolmen.Database {
	t.Helper()
	f.once.Do(func() { f.err = f.fill() })
	if f.err != nil {
		t.Fatalf("the fixture cannot be filled: %v", f.err)
	}
	db, err := f.base.Fork()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			logTrace(t, db)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func logTrace(t testing.TB, db *dolmen.Database) {
	trace, err := db.Trace()
	if err == nil && len(trace) > 0 {
		t.Logf("simulated failures:\n%s", strings.Join(trace, "\n"))
	}
}

func (f *Fixture) fill() error {
	options := f.Options
	if options.ManualClock.IsZero() {
		options.ManualClock = time.Now()
	}
	if options.ExpiryLag == 0 {
		options.ExpiryLag = -1
	}
	if len(options.Simulate) == 0 {
		options.Simulate = []byte("{}")
	}
	db, err := dolmen.OpenInMemory(&options)
	if err != nil {
		return err
	}
	if len(f.Seed) > 0 {
		err = db.LoadSeed(f.Seed)
	}
	if err == nil && f.Fill != nil {
		err = f.Fill(db)
	}
	if err == nil {
		err = db.Wait()
	}
	if err != nil {
		_ = db.Close()
		return err
	}
	f.base = db
	return nil
}

var empty Fixture

// ForTest returns a database in memory without tables, which is closed when the test ends. Its clock
// stands still until Database.Advance or SetClock, and only Database.Expire deletes expired items.
func ForTest(t testing.TB) *dolmen.Database {
	t.Helper()
	return empty.ForTest(t)
}
