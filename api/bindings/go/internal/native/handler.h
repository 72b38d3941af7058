// Handlers of subscriptions that are written in Go. A number that is not 0 identifies a handler
// (runtime/cgo.Handle).

#ifndef DOLMEN_GO_HANDLER_H
#define DOLMEN_GO_HANDLER_H

#include <stdint.h>

#include "dolmen.h"

// Calls dolmen_subscribe with a handler of Go.
int dolmen_go_subscribe(dolmen_database* database, const char* table, const char* name,
                        uintptr_t handler, dolmen_subscription** subscription,
                        dolmen_buffer* response);

// Set and return the handler that this thread runs, or 0.
void dolmen_go_set_running_handler(uintptr_t handler);
uintptr_t dolmen_go_running_handler(void);

#endif
