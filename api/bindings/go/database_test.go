package dolmen_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"dolmen"
)

func TestACallAfterCloseIsAnError(t *testing.T) {
	db := newDatabase(t)
	check(t, db.Close())
	check(t, db.Close())
	for name, call := range map[string]func() error{
		"Execute":   func() error { _, err := db.Execute("ListTables", nil); return err },
		"Fork":      func() error { _, err := db.Fork(); return err },
		"ForkTo":    func() error { _, err := db.ForkTo(t.TempDir()); return err },
		"Reset":     db.Reset,
		"LoadSeed":  func() error { return db.LoadSeed(nil) },
		"Wait":      db.Wait,
		"Expire":    func() error { _, err := db.Expire(); return err },
		"Clock":     func() error { _, err := db.Clock(); return err },
		"SetClock":  func() error { return db.SetClock(begin) },
		"Advance":   func() error { _, err := db.Advance(time.Hour); return err },
		"Simulate":  func() error { return db.Simulate(nil) },
		"Trace":     func() error { _, err := db.Trace(); return err },
		"Backup":    func() error { _, err := db.Backup(t.TempDir()); return err },
		"Subscribe": func() error { _, err := db.Subscribe("app", "name", nil); return err },
	} {
		if err := call(); !errors.Is(err, dolmen.ErrClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestForksAreIndependent(t *testing.T) {
	db := newDatabase(t)
	put(t, db, "1")
	fork := opened(t)(db.Fork())
	onDisk := opened(t)(db.ForkTo(t.TempDir()))
	put(t, fork, "2")
	put(t, db, "3")
	for _, one := range []*dolmen.Database{db, fork, onDisk} {
		equal(t, true, has(t, one, "1"))
	}
	for _, found := range []bool{has(t, db, "2"), has(t, fork, "3"), has(t, onDisk, "3")} {
		equal(t, false, found)
	}
	check(t, fork.Reset())
	equal(t, true, has(t, fork, "1"))
	equal(t, false, has(t, fork, "2"))
	expectError(t, onDisk.Reset(), "ValidationException")
	_, err := db.ForkTo("")
	expectError(t, err, "ValidationException")
}

func TestAForkOutlivesItsDatabase(t *testing.T) {
	db := newDatabase(t)
	fork := opened(t)(db.Fork())
	check(t, db.Close())
	put(t, fork, "1")
	equal(t, true, has(t, fork, "1"))
}

func TestASeedCreatesTablesWithItems(t *testing.T) {
	db := opened(t)(dolmen.OpenInMemory(nil))
	check(t, db.LoadSeed([]byte(`{"Tables": [`+table[:len(table)-1]+`, "Items": [`+item("1")+`]}]}`)))
	equal(t, true, has(t, db, "1"))
	expectError(t, db.LoadSeed([]byte("no seed")), "ValidationException")
}

func TestAManualClockStandsStill(t *testing.T) {
	db := newDatabase(t)
	now, err := db.Clock()
	check(t, err)
	equal(t, begin, now)
	now, err = db.Advance(time.Hour)
	check(t, err)
	equal(t, begin.Add(time.Hour), now)
	check(t, db.SetClock(begin.Add(time.Millisecond)))
	now, err = db.Clock()
	check(t, err)
	equal(t, begin.Add(time.Millisecond), now)
}

func TestTheClockOfTheMachineCannotBeSet(t *testing.T) {
	db := opened(t)(dolmen.OpenInMemory(nil))
	now, err := db.Clock()
	check(t, err)
	if apart := time.Since(now); apart < -time.Hour || apart > time.Hour {
		t.Errorf("the clock is %v behind", apart)
	}
	expectError(t, db.SetClock(begin), "ValidationException")
}

func TestExpireDeletesByTheClock(t *testing.T) {
	db := newDatabase(t)
	execute(t, db, "UpdateTimeToLive", `{"TableName": "app",
		"TimeToLiveSpecification": {"AttributeName": "expires", "Enabled": true}}`)
	execute(t, db, "PutItem", `{"TableName": "app", "Item": {
		"PK": {"S": "a"}, "SK": {"S": "1"}, "expires": {"N": "1776250000"}}}`) // 25 minutes later
	put(t, db, "2")
	for _, expected := range []int{0, 1, 0} {
		found, err := db.Expire()
		check(t, err)
		equal(t, expected, found)
		_, err = db.Advance(time.Hour)
		check(t, err)
	}
	equal(t, false, has(t, db, "1"))
	equal(t, true, has(t, db, "2"))
}

func TestWaitReturnsWhenIndexesAreBuilt(t *testing.T) {
	db := newDatabase(t)
	put(t, db, "1")
	execute(t, db, "UpdateTable", `{"TableName": "app",
		"AttributeDefinitions": [{"AttributeName": "SK", "AttributeType": "S"}],
		"GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "BySort",
			"KeySchema": [{"AttributeName": "SK", "KeyType": "HASH"}],
			"Projection": {"ProjectionType": "KEYS_ONLY"}}}]}`)
	check(t, db.Wait())
	equal(t, `{"Count":1,"ScannedCount":1,"Items":[`+item("1")+`]}`,
		execute(t, db, "Scan", `{"TableName": "app", "IndexName": "BySort"}`))
}

func TestASimulationLetsRequestsFail(t *testing.T) {
	db := opened(t)(dolmen.OpenInMemory(&dolmen.Options{Simulate: []byte("{}")}))
	execute(t, db, "CreateTable", table)
	check(t, db.Simulate([]byte(`{"Seed": 7, "Rules": [{"Fault": "Throttling", "CallsMax": 1}]}`)))
	_, err := db.Execute("PutItem", putRequest("1"))
	expectError(t, err, "ThrottlingException")
	put(t, db, "1")
	trace, err := db.Trace()
	check(t, err)
	equal(t, 1, len(trace))
	check(t, db.Simulate(nil))
	put(t, db, "1")
	told := expectError(t, db.Simulate([]byte(`{"NoSuchMember": 1}`)), "ValidationException")
	equal(t, true, strings.Contains(told.Message, "NoSuchMember"))
	expectError(t, newDatabase(t).Simulate(nil), "ValidationException")
}
