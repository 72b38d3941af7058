package dolmen_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dolmen"
)

func TestADirectoryKeepsItsItems(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.dolmen")
	db, err := dolmen.Open(path, nil)
	check(t, err)
	execute(t, db, "CreateTable", table)
	put(t, db, "1")
	check(t, db.Close())
	equal(t, true, has(t, opened(t)(dolmen.Open(path, nil)), "1"))
}

func TestADirectoryIsOpenOnce(t *testing.T) {
	path := t.TempDir()
	opened(t)(dolmen.Open(path, nil))
	_, err := dolmen.Open(path, nil)
	expectError(t, err, "ResourceInUseException")
}

func TestAReadOnlyDatabaseRefusesWrites(t *testing.T) {
	path := t.TempDir()
	db, err := dolmen.Open(path, nil)
	check(t, err)
	execute(t, db, "CreateTable", table)
	check(t, db.Close())
	db = opened(t)(dolmen.Open(path, &dolmen.Options{ReadOnly: true}))
	equal(t, false, has(t, db, "1"))
	_, err = db.Execute("PutItem", putRequest("1"))
	equal(t, true, err != nil)
}

func TestAnEncryptedDatabaseNeedsItsKey(t *testing.T) {
	path := t.TempDir()
	options := &dolmen.Options{EncryptionKey: []byte(strings.Repeat("k", 32))}
	db, err := dolmen.Open(path, options)
	check(t, err)
	check(t, db.Close())
	_, err = dolmen.Open(path, nil)
	equal(t, true, err != nil)
	opened(t)(dolmen.Open(path, options))
}

func TestAWrongOptionIsAnError(t *testing.T) {
	for word, options := range map[string]*dolmen.Options{
		"":               {MustExist: true},
		"Durability":     {Durability: "sometimes"},
		"OnConflict":     {OnConflict: "hope"},
		"Account":        {Account: "1"},
		"EncryptionKey":  {EncryptionKey: []byte("short")},
		"NoSuchMember":   {Simulate: []byte(`{"NoSuchMember": 1}`)},
		"unexpected end": {Simulate: []byte("{")},
		"1970":           {ManualClock: time.Date(1969, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		_, err := dolmen.Open(filepath.Join(t.TempDir(), "none"), options)
		if told := expectError(t, err, "ValidationException"); !strings.Contains(told.Message, word) {
			t.Errorf("%s: %s", word, told.Message)
		}
	}
	_, err := dolmen.Open("", nil)
	expectError(t, err, "ValidationException")
}

func TestEveryOptionIsAccepted(t *testing.T) {
	db := opened(t)(dolmen.Open(t.TempDir(), &dolmen.Options{
		Durability:    dolmen.Buffered,
		OnConflict:    dolmen.FailOnConflict,
		CacheBytes:    8 << 20,
		RowCacheBytes: -1,
		ManualClock:   begin,
		ExpiryLag:     time.Hour,
		Region:        "eu-west-1",
		Account:       "123456789012",
	}))
	description := execute(t, db, "CreateTable", table)
	arn := `"arn:aws:dynamodb:eu-west-1:123456789012:table/app"`
	if !strings.Contains(description, arn) {
		t.Errorf("%s is not in %s", arn, description)
	}
}

func TestABackupBecomesADatabase(t *testing.T) {
	db, backup, path := newDatabase(t), t.TempDir(), t.TempDir()
	put(t, db, "1")
	done, err := db.Backup(backup)
	check(t, err)
	equal(t, true, done.Bytes >= done.CopiedBytes && done.CopiedBytes > 0)
	_, err = dolmen.Restore(backup, path, nil)
	check(t, err)
	equal(t, true, has(t, opened(t)(dolmen.Open(path, nil)), "1"))
	_, err = dolmen.Restore(t.TempDir(), t.TempDir(), nil)
	expectError(t, err, "ValidationException")
}

func TestAnErrorHasNameMessageStatusAndItem(t *testing.T) {
	db := newDatabase(t)
	put(t, db, "1")
	_, err := db.Execute("PutItem", []byte(`{"TableName": "app", "Item": `+item("1")+`,
		"ConditionExpression": "attribute_not_exists(PK)",
		"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}`))
	told := expectError(t, err, "ConditionalCheckFailedException")
	equal(t, "The conditional request failed", told.Message)
	equal(t, 400, told.Status)
	equal(t, true, strings.Contains(string(told.Response), item("1")))
	equal(t, "ConditionalCheckFailedException: The conditional request failed", err.Error())
}

func TestRequestsThatAreNoRequestsAreErrors(t *testing.T) {
	db := newDatabase(t)
	for _, test := range []struct{ operation, request, name string }{
		{"NoOperation", "{}", "UnknownOperationException"},
		{"GetItem\x00", "{}", "UnknownOperationException"},
		{"", "{}", "UnknownOperationException"},
		{"GetItem", "{", "SerializationException"},
		{"GetItem", "", "SerializationException"},
		{"GetItem", "\x00", "SerializationException"},
	} {
		_, err := db.Execute(test.operation, []byte(test.request))
		var told *dolmen.Error
		if !errors.As(err, &told) || told.Name != test.name {
			t.Errorf("%q %q: %v", test.operation, test.request, err)
		}
	}
}

func TestAnArgumentWithAZeroByteIsAnError(t *testing.T) {
	db := newDatabase(t)
	_, err := db.ForkTo("a\x00b")
	expectError(t, err, "ValidationException")
	_, err = db.Backup("a\x00b")
	expectError(t, err, "ValidationException")
	_, err = db.Subscribe("app", "a\x00b", func([]byte) error { return nil })
	expectError(t, err, "ValidationException")
	_, err = dolmen.Open("a\x00b", nil)
	expectError(t, err, "ValidationException")
}

func TestTheVersionIsThatOfTheLibrary(t *testing.T) {
	equal(t, 2, strings.Count(dolmen.Version(), "."))
}
