// Package dolmen is DynamoDB inside the process of a Go program: durable in a directory or in
// memory, without a server, a network or an account.
//
//	db, err := dolmen.Open("app.dolmen", nil)
//	...
//	defer db.Close()
//	client := dynamodb.New(dynamodb.Options{Region: "us-east-1", HTTPClient: db.HTTPClient()})
//
// Database.Execute has the same operations without the AWS SDK, with DynamoDB's JSON.
package dolmen

import (
	"encoding/hex"
	"encoding/json"
	"time"

	"dolmen/internal/native"
)

// Durability says what an acknowledged write survives.
type Durability string

const (
	Sync     Durability = "sync"     // a power cut
	Buffered Durability = "buffered" // a crash of the process; writes are faster
)

// Conflict says what a write does if a running transaction has locked its item.
type Conflict string

const (
	WaitOnConflict Conflict = "wait" // waits for the transaction
	FailOnConflict Conflict = "fail" // fails with TransactionConflictException, as in DynamoDB
)

// Options are the options of Open and OpenInMemory. The zero value has the defaults.
type Options struct {
	Durability Durability // default Sync
	OnConflict Conflict   // default WaitOnConflict

	// ReadOnly opens the directory without changing it, and refuses writes.
	ReadOnly bool
	// MustExist fails if the directory has no database.
	MustExist bool
	// EncryptionKey is the key of all files, 32 bytes. Empty: the files are not encrypted.
	EncryptionKey []byte

	// CacheBytes is the size of the read cache. 0: 64 MiB.
	CacheBytes int64
	// RowCacheBytes is the size of the row cache. 0: 32 MiB. Negative: no row cache.
	RowCacheBytes int64

	// ManualClock, if it is not zero, is the time with which a manual clock begins. The clock then
	// stands still until SetClock or Advance. Zero: the clock of the machine.
	ManualClock time.Time
	// ExpiryLag is the time within which an expired item is deleted, in whole seconds. 0: one
	// minute. Negative: only Expire deletes expired items.
	ExpiryLag time.Duration

	// Simulate is the simulation that begins with the database, as for Database.Simulate. {} simulates
	// no failures until then. Empty: the database cannot simulate failures.
	Simulate json.RawMessage

	Region  string // in ARNs; default "us-east-1"
	Account string // in ARNs, 12 digits; default "000000000000"
}

// Open opens the database in a directory, and creates it if it is missing. Options may be nil.
// Only one process at a time can have a directory open. The bytes of a path need not be UTF-8.
//   - ValidationException: an option is wrong, or the directory holds something else.
//   - ResourceInUseException: the database is open already.
//   - InternalServerError: the files cannot be read or written, or are from a newer release.
func Open(path string, options *Options) (*Database, error) {
	if path == "" {
		return nil, validation("the path is empty: use OpenInMemory")
	}
	if err := checkTexts(path); err != nil {
		return nil, err
	}
	return open(path, options)
}

// OpenInMemory opens a new database in memory. Close deletes it. Options may be nil.
//   - ValidationException: an option is wrong.
func OpenInMemory(options *Options) (*Database, error) {
	return open("", options)
}

// Restore copies a backup into a directory that is absent or empty and becomes a database. The key
// is the EncryptionKey of the database, or nil.
//   - ValidationException: the backup is not complete, the directory is not empty, or the key is
//     wrong.
func Restore(backup, path string, key []byte) (Copied, error) {
	if err := checkTexts(backup, path); err != nil {
		return Copied{}, err
	}
	return copied(native.Restore(backup, path, hex.EncodeToString(key)))
}

// Version returns the release of the C library.
func Version() string {
	return native.Version()
}

func open(path string, options *Options) (*Database, error) {
	if native.IsTooOld() {
		return nil, &Error{
			Name:    "InternalServerError",
			Message: "the C library " + Version() + " is older than this package",
			Status:  500,
		}
	}
	if options == nil {
		options = &Options{}
	}
	encoded, err := json.Marshal(options.members())
	if err != nil {
		return nil, validation(err.Error()) // Simulate is no JSON
	}
	handle, status, response := native.Open(path, encoded)
	if err := check(status, response); err != nil {
		return nil, err
	}
	return newDatabase(handle), nil
}

// members returns the options in the form of dolmen_open. The library has the defaults.
func (o *Options) members() map[string]any {
	members := map[string]any{
		"ReadOnly":        o.ReadOnly,
		"CreateIfMissing": !o.MustExist,
	}
	if !o.ManualClock.IsZero() {
		members["Clock"] = o.ManualClock.UnixMilli()
	}
	if len(o.Simulate) > 0 {
		members["Simulate"] = o.Simulate
	}
	for name, text := range map[string]string{
		"Durability":    string(o.Durability),
		"OnConflict":    string(o.OnConflict),
		"EncryptionKey": hex.EncodeToString(o.EncryptionKey),
		"Region":        o.Region,
		"Account":       o.Account,
	} {
		if text != "" {
			members[name] = text
		}
	}
	for name, number := range map[string]int64{
		"RowCacheBytes":    o.RowCacheBytes,
		"ExpiryLagSeconds": seconds(o.ExpiryLag),
	} {
		if number != 0 {
			members[name] = max(number, 0)
		}
	}
	if o.CacheBytes != 0 {
		members["CacheBytes"] = o.CacheBytes
	}
	return members
}

// seconds rounds a positive duration up to seconds. A negative one stays negative.
func seconds(duration time.Duration) int64 {
	if duration <= 0 {
		return int64(duration)
	}
	return int64((duration + time.Second - 1) / time.Second)
}

func max(a, b int64) int64 {
	if a > b {
		return a
	}
	return b
}
