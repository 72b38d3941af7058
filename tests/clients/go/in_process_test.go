//go:build in_process

package sdk

import (
	"net"
	"net/http"
	"runtime"
	"syscall"
	"unsafe"

	"dolmen"
	"dolmen/dolmenaws"
)

const isInProcess = true

var (
	database                    = openDatabase()
	attach                      = dolmenaws.Attach(database)
	transport http.RoundTripper = database.HTTPClient()
)

func openDatabase() *dolmen.Database {
	forbidSockets()
	if _, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		panic("a socket can be opened")
	}
	db, err := dolmen.OpenInMemory(nil)
	if err != nil {
		panic(err)
	}
	return db
}

// forbidSockets makes Linux refuse socket(2) in all threads of this process (seccomp(2)).
func forbidSockets() {
	const (
		loadWord, jumpIfEqual, returnWord = 0x20, 0x15, 0x06
		allow, failWithEPERM              = 0x7fff0000, 0x00050000 | uint32(syscall.EPERM)
		setNoNewPrivileges                = 38
		setModeFilter, allThreads         = 1, 1
	)
	type instruction struct {
		code         uint16
		equal, other uint8
		value        uint32
	}
	program := []instruction{
		{loadWord, 0, 0, 0}, // the number of the system call
		{jumpIfEqual, 0, 1, syscall.SYS_SOCKET},
		{returnWord, 0, 0, failWithEPERM},
		{returnWord, 0, 0, allow},
	}
	filter := struct {
		length uint16
		first  *instruction
	}{uint16(len(program)), &program[0]}
	seccomp := map[string]uintptr{"amd64": 317, "arm64": 277}[runtime.GOARCH]
	_, _, err := syscall.RawSyscall6(syscall.SYS_PRCTL, setNoNewPrivileges, 1, 0, 0, 0, 0)
	if err == 0 {
		_, _, err = syscall.RawSyscall(
			seccomp, setModeFilter, allThreads, uintptr(unsafe.Pointer(&filter)))
	}
	if err != 0 {
		panic(err)
	}
}
