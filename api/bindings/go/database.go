package dolmen

import (
	"encoding/json"
	"sync"
	"time"

	"dolmen/internal/native"
)

// Database is an open database. Open, OpenInMemory and Fork create it, and Close frees it. All
// goroutines may use it at the same time. After Close each call returns ErrClosed.
type Database struct {
	// Each call of the library holds the mutex for reading, and Close holds it for writing. So Close
	// waits for the running calls.
	mutex    sync.RWMutex
	handle   native.Database
	isClosed bool
	closing  sync.Once

	subscriptions subscriptions
}

func newDatabase(handle native.Database) *Database {
	return &Database{handle: handle}
}

// Execute executes an operation of DynamoDB or of DynamoDB Streams, for example "PutItem". The
// request and the response are DynamoDB's JSON.
//
// An error of the request is an *Error with DynamoDB's name and message.
func (db *Database) Execute(operation string, request []byte) ([]byte, error) {
	status, response, err := db.execute(operation, request)
	if err == nil {
		err = check(status, response)
	}
	if err != nil {
		return nil, err
	}
	return response, nil
}

// execute returns the HTTP status and the response, which describes an error of the request.
func (db *Database) execute(operation string, request []byte) (int, []byte, error) {
	db.mutex.RLock()
	defer db.mutex.RUnlock()
	if db.isClosed {
		return 0, nil, ErrClosed
	}
	if !native.IsText(operation) {
		operation = "" // has no zero byte, and is unknown too
	}
	status, response := db.handle.Execute(operation, request)
	return status, response, nil
}

// call calls a function of the library with the open database.
func (db *Database) call(function func(native.Database) (int, []byte)) ([]byte, error) {
	db.mutex.RLock()
	defer db.mutex.RUnlock()
	if db.isClosed {
		return nil, ErrClosed
	}
	status, response := function(db.handle)
	return response, check(status, response)
}

// Close waits for running calls and handlers, and closes the database. A second call has no effect.
//   - ValidationException: a handler of a subscription to this database has called Close.
func (db *Database) Close() error {
	if err := db.shut(); err != nil {
		return err
	}
	db.closing.Do(func() {
		db.subscriptions.stopAll()
		db.handle.Close()
	})
	return nil
}

// shut waits for running calls. Later calls return ErrClosed.
func (db *Database) shut() error {
	db.mutex.Lock()
	defer db.mutex.Unlock()
	if db.subscriptions.isRunningHere() {
		return validation("a handler of a subscription cannot close its database")
	}
	db.isClosed = true
	return nil
}

// Fork creates an independent database in memory with the same contents, options and time. The cost
// does not depend on the number of items if this database is in memory, too. The two can be closed
// in any order.
//   - ValidationException: the database is ReadOnly.
func (db *Database) Fork() (*Database, error) {
	return db.fork("")
}

// ForkTo creates an independent database with the same contents, options and time in a directory
// that is absent or empty. The cost does not depend on the number of items if both are on one volume.
//   - ValidationException: the directory is in use or not empty, or the database is ReadOnly.
func (db *Database) ForkTo(path string) (*Database, error) {
	if path == "" {
		return nil, validation("the path is empty: use Fork")
	}
	if err := checkTexts(path); err != nil {
		return nil, err
	}
	return db.fork(path)
}

func (db *Database) fork(path string) (*Database, error) {
	var fork native.Database
	_, err := db.call(func(handle native.Database) (status int, response []byte) {
		fork, status, response = handle.Fork(path)
		return status, response
	})
	if err != nil {
		return nil, err
	}
	return newDatabase(fork), nil
}

// Reset brings a database in memory back to its beginning. A fork gets back the contents with which
// Fork created it, and any other database loses its tables. The clock stays as it is. Subscriptions
// end.
//   - ValidationException: the database is on disk.
func (db *Database) Reset() error {
	_, err := db.call(native.Database.Reset)
	return err
}

// LoadSeed creates the tables of a seed and stores their items. The seed is {"Tables": [...]}: each
// table is a request of CreateTable, with "Items" and "TimeToLiveSpecification" in addition. A data
// model of NoSQL Workbench is a seed, too. After an error the database has none of the tables.
//   - ValidationException: the text is no seed, or a table or an item is wrong.
//   - ResourceInUseException: a table exists already.
func (db *Database) LoadSeed(seed []byte) error {
	_, err := db.call(func(handle native.Database) (int, []byte) { return handle.LoadSeed(seed) })
	return err
}

// Wait waits until the indexes of all tables are built.
//   - ValidationException: an index is not built, and the database is ReadOnly.
func (db *Database) Wait() error {
	_, err := db.call(native.Database.Wait)
	return err
}

// Expire deletes all expired items now, and returns their number.
func (db *Database) Expire() (int, error) {
	response, err := db.call(native.Database.Expire)
	if err != nil {
		return 0, err
	}
	var found struct{ ExpiredItems int }
	err = json.Unmarshal(response, &found)
	return found.ExpiredItems, err
}

// Clock returns the time of the database's clock, in UTC.
func (db *Database) Clock() (time.Time, error) {
	var milliseconds int64
	_, err := db.call(func(handle native.Database) (status int, response []byte) {
		milliseconds, status, response = handle.Clock()
		return status, response
	})
	return time.UnixMilli(milliseconds).UTC(), err
}

// SetClock moves a manual clock, forward or back. Nothing is deleted until Expire or the next sweep.
//   - ValidationException: the database has no manual clock, or the time is not in the years 1970 to
//     9998.
func (db *Database) SetClock(now time.Time) error {
	_, err := db.call(func(handle native.Database) (int, []byte) {
		return handle.SetClock(now.UnixMilli())
	})
	return err
}

// Advance advances a manual clock, and returns its new time. The errors are those of SetClock.
func (db *Database) Advance(duration time.Duration) (time.Time, error) {
	now, err := db.Clock()
	if err != nil {
		return now, err
	}
	now = now.Add(duration)
	return now, db.SetClock(now)
}

// Simulate replaces the simulation of failures and clears its trace. The same "Seed" and the same calls
// give the same failures. Empty: no failures from now on. Whatever was acknowledged is stored.
//
//		db.Simulate([]byte(`{"Seed": 7, "Rules": [{"Operation": "PutItem", "Fault": "Throttling"}]}`))
//
//	  - ValidationException: a member is unknown or wrong, or the database was opened without
//	    Options.Simulate.
func (db *Database) Simulate(simulation []byte) error {
	_, err := db.call(func(handle native.Database) (int, []byte) { return handle.Simulate(simulation) })
	return err
}

// Trace returns a line for each failure since the simulation began. The member "Replay" of a
// simulation repeats these lines.
//   - ValidationException: the database was opened without Options.Simulate.
func (db *Database) Trace() ([]string, error) {
	response, err := db.call(native.Database.Trace)
	if err != nil {
		return nil, err
	}
	var found struct{ Trace []string }
	err = json.Unmarshal(response, &found)
	return found.Trace, err
}

// Copied is the result of Backup and Restore.
type Copied struct {
	Bytes       int64 // the size of the backup or of the restored database
	CopiedBytes int64 // the size of the files that were copied
}

// Backup copies the database into a directory while all operations continue. The directory is absent
// or empty, or holds an earlier backup of this database; then only new files are copied. After an
// error the earlier backup stays.
//   - ValidationException: the directory holds something else, or is in the database's directory.
func (db *Database) Backup(path string) (Copied, error) {
	if err := checkTexts(path); err != nil {
		return Copied{}, err
	}
	response, err := db.call(func(handle native.Database) (int, []byte) { return handle.Backup(path) })
	if err != nil {
		return Copied{}, err
	}
	return copied(native.OK, response)
}

func copied(status int, response []byte) (Copied, error) {
	var copied Copied
	if err := check(status, response); err != nil {
		return copied, err
	}
	return copied, json.Unmarshal(response, &copied)
}
