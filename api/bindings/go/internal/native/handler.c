#include "handler.h"

#include "_cgo_export.h"

static __thread uintptr_t running_handler;

static int handle(void* context, const char* records, size_t size) {
  return dolmenGoHandle((uintptr_t)context, (char*)records, size);
}

int dolmen_go_subscribe(dolmen_database* database, const char* table, const char* name,
                        uintptr_t handler, dolmen_subscription** subscription,
                        dolmen_buffer* response) {
  return dolmen_subscribe(database, table, name, handle, (void*)handler, subscription, response);
}

void dolmen_go_set_running_handler(uintptr_t handler) { running_handler = handler; }

uintptr_t dolmen_go_running_handler(void) { return running_handler; }
