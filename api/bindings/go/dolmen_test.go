package dolmen_test

import (
	"errors"
	"os"
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
		"9998":           {ManualClock: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)},
		"CacheBytes":     {CacheBytes: -1},
		"ExpiryLag":      {ExpiryLag: 366 * 24 * time.Hour},
		"Region":         {Region: "\xff"},
	} {
		path := filepath.Join(t.TempDir(), "none")
		_, err := dolmen.Open(path, options)
		if told := expectError(t, err, "ValidationException"); !strings.Contains(told.Message, word) {
			t.Errorf("%s: %s", word, told.Message)
		}
		if _, err := os.Lstat(path); !os.IsNotExist(err) {
			t.Errorf("%s: the directory was created", word)
		}
		opened(t)(dolmen.Open(path, nil))
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

func TestAPathIsTheBytesOfTheFileSystem(t *testing.T) {
	directory := t.TempDir()
	path := filepath.Join(directory, "\xff\xfe")
	db, err := dolmen.Open(path, nil)
	check(t, err)
	execute(t, db, "CreateTable", table)
	put(t, db, "1")
	_, err = db.Backup(path + " backup")
	check(t, err)
	_, err = dolmen.Restore(path+" backup", path+" copy", nil)
	check(t, err)
	fork, err := db.ForkTo(path + " fork")
	check(t, err)
	check(t, fork.Close())
	_, err = dolmen.Open(path, nil)
	told := expectError(t, err, "ResourceInUseException")
	equal(t, true, strings.Contains(told.Message, `\xff\xfe`))
	check(t, db.Close())
	for _, made := range []string{path, path + " copy", path + " fork"} {
		db := opened(t)(dolmen.Open(made, &dolmen.Options{MustExist: true}))
		equal(t, true, has(t, db, "1"))
	}
	names, err := os.ReadDir(directory)
	check(t, err)
	equal(t, 4, len(names))
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
