// A call of a function of the C library, in the thread of JavaScript or in libuv's worker pool.

#pragma once

#include <node_api.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "bindings/javascript/native/environment.h"

namespace dolmen_node {

// The arguments and the results of a function of the C library.
struct Call {
  // Arguments.
  std::shared_ptr<OpenDatabase> database;
  std::shared_ptr<Subscription> subscription;
  std::array<std::optional<std::string>, 3> texts;
  int64_t number = 0;

  // Results.
  int status = 0;
  dolmen_buffer response = {nullptr, 0};
  dolmen_database* created = nullptr;
  int64_t milliseconds = -1;

  Call() = default;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    dolmen_close(created);
    dolmen_free(&response);
  }

  // Returns a text as C takes it, or nullptr if the text is absent.
  const char* text(size_t index) const { return texts[index] ? texts[index]->c_str() : nullptr; }

  size_t size(size_t index) const { return texts[index] ? texts[index]->size() : 0; }
};

// Calls the function of the C library and sets the results.
using Function = void (*)(Call* call);

// Executes a call and returns [status, response, value]. `mode` is a sum of these bits:
// - kAsync: the worker pool executes the call, and the result is a promise.
// - kText: the response is a string. Otherwise it is a Buffer.
// The value is the handle of a created database, the time of a clock, or absent.
enum Mode : uint32_t { kAsync = 1, kText = 2 };
napi_value Execute(napi_env env, Function function, uint32_t mode, std::unique_ptr<Call> call);

}  // namespace dolmen_node
