package native

// #include "handler.h"
import "C"

import (
	"runtime"
	"runtime/cgo"
	"unsafe"
)

// Subscription is a running subscription.
type Subscription struct {
	pointer *C.dolmen_subscription
	handler cgo.Handle
}

// Subscribe begins a subscription. The handler returns true once it has handled the records, which
// it owns.
func (d Database) Subscribe(
	table, name string, handler func(records []byte) bool,
) (Subscription, int, []byte) {
	subscription := Subscription{handler: cgo.NewHandle(handler)}
	var response C.dolmen_buffer
	status := int(C.dolmen_go_subscribe(d.pointer, text(table), text(name),
		C.uintptr_t(subscription.handler), &subscription.pointer, &response))
	if status != OK {
		subscription.handler.Delete()
	}
	return subscription, status, take(&response)
}

// Stop ends the subscription and waits for its handler. It must be the last use of the subscription.
func (s Subscription) Stop() {
	C.dolmen_unsubscribe(s.pointer)
	s.handler.Delete()
}

// IsRunningHere returns true in a call of the subscription's handler.
func (s Subscription) IsRunningHere() bool {
	return cgo.Handle(C.dolmen_go_running_handler()) == s.handler
}

//export dolmenGoHandle
func dolmenGoHandle(handler C.uintptr_t, records *C.char, size C.size_t) C.int {
	handle := cgo.Handle(handler).Value().(func([]byte) bool)
	copied := append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(records)), int(size))...)
	if runs(handler, func() bool { return handle(copied) }) {
		return 0
	}
	return 1
}

// runs returns the result of the call, or false if the call ends its goroutine by runtime.Goexit, as
// testing.T.FailNow does. The goroutine is a new one, because a goroutine of the thread that calls
// dolmenGoHandle cannot end so.
func runs(handler C.uintptr_t, call func() bool) bool {
	result := make(chan bool, 1)
	go func() {
		done := false
		defer func() { result <- done }()
		// Go ends the thread of a goroutine that ends while it is locked.
		runtime.LockOSThread()
		C.dolmen_go_set_running_handler(handler)
		done = call()
		C.dolmen_go_set_running_handler(0)
		runtime.UnlockOSThread()
	}()
	return <-result
}
