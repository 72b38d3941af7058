// The way from a function of C to Dolmen and back: errors and exceptions become responses, and
// responses become buffers that the caller owns.

#pragma once

#include "c/dolmen.h"
#include "dolmen/result.h"
#include "dolmen/wire.h"
#include "wire/errors.h"

namespace dolmen::c {

// Returns the response to every call if the library cannot be used, because memory ran out. Otherwise returns null. The
// text lives as long as the library.
const char* UnusableResponse();

// Returns an empty response that the thread keeps for its calls, so that a page is written without
// growing a new string step by step.
EndpointResponse& ResponseOfThread();

// Copies the body into the buffer, with a zero byte behind it. Returns the HTTP status.
// `buffer` may be null.
int Give(const EndpointResponse& response, dolmen_buffer* buffer);

// Gives the response to a call while the library cannot be used. Returns the HTTP status.
int GiveUnusable(const char* text, dolmen_buffer* buffer);

// Makes the library unusable, because an operation that ends halfway may hold locks. Gives the
// response and returns the HTTP status.
int GiveOutOfMemory(dolmen_buffer* buffer);

// Executes a call and gives its response or its error. `call` is a Status(EndpointResponse*) that
// writes the body of its success.
template <typename Call>
int Answer(dolmen_buffer* buffer, const Call& call) noexcept {
  if (const char* const text = UnusableResponse()) return GiveUnusable(text, buffer);
  try {
    EndpointResponse& response = ResponseOfThread();
    const Status done = call(&response);
    if (!done.ok()) wire::SetError(done, &response);
    return Give(response, buffer);
  } catch (...) {
    // The only exception of Dolmen is std::bad_alloc.
    return GiveOutOfMemory(buffer);
  }
}

}  // namespace dolmen::c
