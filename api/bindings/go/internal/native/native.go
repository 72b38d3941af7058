// Package native calls the C library. It needs dolmen.h and the libraries of `make packages` in its
// own directory: package.sh puts them there.
//
// A function returns the HTTP status and the response, which the caller owns.
package native

/*
#cgo CFLAGS: -I${SRCDIR}
#cgo LDFLAGS: -L${SRCDIR} -ldolmen_c -Wl,-rpath,$ORIGIN -Wl,-rpath,${SRCDIR}
#include "dolmen.h"
*/
import "C"

import (
	"strings"
	"unsafe"
)

// OK is the status of a success.
const OK = 200

// Database is an open database. Copies refer to the same database.
type Database struct {
	pointer *C.dolmen_database
}

// Version returns the release of the library.
func Version() string {
	return C.GoString(C.dolmen_version())
}

// IsTooOld returns true if the library lacks functions that this package calls.
func IsTooOld() bool {
	return C.dolmen_abi() < C.DOLMEN_ABI
}

// IsText returns true if C can read the text to its end.
func IsText(text string) bool {
	return strings.IndexByte(text, 0) < 0
}

// Open opens a database, in memory if the directory is empty. The options are the JSON of dolmen_open.
func Open(directory string, options []byte) (Database, int, []byte) {
	var database Database
	var response C.dolmen_buffer
	status := C.dolmen_open_directory(
		optional(directory), text(string(options)), &database.pointer, &response)
	return database, int(status), take(&response)
}

// Close closes the database. It must be the last use of the database.
func (d Database) Close() {
	C.dolmen_close(d.pointer)
}

// Fork creates a database with the same contents, in memory if the directory is empty.
func (d Database) Fork(directory string) (Database, int, []byte) {
	var fork Database
	var response C.dolmen_buffer
	status := C.dolmen_fork(d.pointer, optional(directory), &fork.pointer, &response)
	return fork, int(status), take(&response)
}

// Reset brings a database in memory back to its beginning.
func (d Database) Reset() (int, []byte) {
	var response C.dolmen_buffer
	return int(C.dolmen_reset(d.pointer, &response)), take(&response)
}

// Execute executes an operation. The operation is a text without a zero byte (IsText).
func (d Database) Execute(operation string, request []byte) (int, []byte) {
	var response C.dolmen_buffer
	status := C.dolmen_execute(
		d.pointer, text(operation), start(request), C.size_t(len(request)), &response)
	return int(status), take(&response)
}

// LoadSeed creates the tables of a seed.
func (d Database) LoadSeed(seed []byte) (int, []byte) {
	var response C.dolmen_buffer
	status := C.dolmen_load_seed(d.pointer, start(seed), C.size_t(len(seed)), &response)
	return int(status), take(&response)
}

// Expire deletes the expired items.
func (d Database) Expire() (int, []byte) {
	var response C.dolmen_buffer
	return int(C.dolmen_expire(d.pointer, &response)), take(&response)
}

// Wait waits until the indexes are built.
func (d Database) Wait() (int, []byte) {
	var response C.dolmen_buffer
	return int(C.dolmen_wait(d.pointer, &response)), take(&response)
}

// Clock returns the time of the clock in milliseconds since 1970.
func (d Database) Clock() (int64, int, []byte) {
	var milliseconds C.int64_t
	var response C.dolmen_buffer
	status := C.dolmen_clock(d.pointer, &milliseconds, &response)
	return int64(milliseconds), int(status), take(&response)
}

// SetClock moves a manual clock.
func (d Database) SetClock(milliseconds int64) (int, []byte) {
	var response C.dolmen_buffer
	status := C.dolmen_set_clock(d.pointer, C.int64_t(milliseconds), &response)
	return int(status), take(&response)
}

// Simulate replaces the simulation of failures.
func (d Database) Simulate(simulation []byte) (int, []byte) {
	var response C.dolmen_buffer
	status := C.dolmen_simulate(
		d.pointer, start(simulation), C.size_t(len(simulation)), &response)
	return int(status), take(&response)
}

// Trace lists the failures of the simulation.
func (d Database) Trace() (int, []byte) {
	var response C.dolmen_buffer
	return int(C.dolmen_trace(d.pointer, &response)), take(&response)
}

// Backup copies the database into a directory.
func (d Database) Backup(directory string) (int, []byte) {
	var response C.dolmen_buffer
	return int(C.dolmen_backup(d.pointer, text(directory), &response)), take(&response)
}

// Restore copies a backup into a directory. The key is hexadecimal; empty: no key.
func Restore(backup, directory, key string) (int, []byte) {
	var response C.dolmen_buffer
	status := C.dolmen_restore(text(backup), text(directory), optional(key), &response)
	return int(status), take(&response)
}

// take copies the response and frees it.
func take(response *C.dolmen_buffer) []byte {
	bytes := append([]byte(nil),
		unsafe.Slice((*byte)(unsafe.Pointer(response.data)), int(response.size))...)
	C.dolmen_free(response)
	return bytes
}

// text returns a copy of the text that ends with a zero byte. Go frees it.
func text(text string) *C.char {
	bytes := make([]byte, len(text)+1)
	copy(bytes, text)
	return (*C.char)(unsafe.Pointer(&bytes[0]))
}

func optional(content string) *C.char {
	if content == "" {
		return nil
	}
	return text(content)
}

func start(bytes []byte) *C.char {
	if len(bytes) == 0 {
		return nil
	}
	return (*C.char)(unsafe.Pointer(&bytes[0]))
}
