#include "bindings/javascript/native/call.h"

#include <utility>

namespace dolmen_node {
namespace {

// A call that waits for the worker pool, or that runs there.
struct Queued {
  Environment* environment;
  Function function;
  uint32_t mode;
  std::unique_ptr<Call> call;
  napi_async_work work = nullptr;
  napi_deferred deferred = nullptr;
};

napi_value ResponseOf(napi_env env, const dolmen_buffer& response, uint32_t mode) {
  const char* data = response.data == nullptr ? "" : response.data;
  napi_value result = nullptr;
  if ((mode & kText) != 0) {
    napi_create_string_utf8(env, data, response.size, &result);
  } else {
    napi_create_buffer_copy(env, response.size, data, nullptr, &result);
  }
  return result;
}

// Returns the value of the result, or nullptr if it has none.
napi_value ValueOf(napi_env env, Call* call) {
  napi_value value = nullptr;
  if (call->created != nullptr) {
    auto database = Register(std::exchange(call->created, nullptr));
    return Environment::Of(env)->NewHandle(env, std::move(database));
  }
  if (call->milliseconds >= 0) napi_create_int64(env, call->milliseconds, &value);
  return value;
}

// Returns nullptr, with a pending exception, if JavaScript has no memory or is ending.
napi_value ResultOf(napi_env env, uint32_t mode, Call* call) {
  napi_value parts[3] = {};
  napi_create_int32(env, call->status, &parts[0]);
  parts[1] = ResponseOf(env, call->response, mode);
  dolmen_free(&call->response);
  parts[2] = ValueOf(env, call);
  napi_value result = nullptr;
  if (parts[1] == nullptr || napi_create_array_with_length(env, 2, &result) != napi_ok) {
    return nullptr;
  }
  for (uint32_t i = 0; i < 3; ++i) {
    if (parts[i] != nullptr) napi_set_element(env, result, i, parts[i]);
  }
  return result;
}

// Runs in a thread of the pool.
void Run(napi_env, void* data) {
  auto* queued = static_cast<Queued*>(data);
  Call* const call = queued->call.get();
  if (!queued->environment->is_ending()) queued->function(call);
  // The last call of a database closes it here, not in the thread of JavaScript.
  call->database.reset();
  queued->environment->EndCall();
}

void Complete(napi_env env, napi_status status, void* data) {
  const std::unique_ptr<Queued> queued(static_cast<Queued*>(data));
  if (status == napi_cancelled) queued->environment->EndCall();
  napi_value result = ResultOf(env, queued->mode, queued->call.get());
  if (result != nullptr) {
    napi_resolve_deferred(env, queued->deferred, result);
  } else {
    napi_value error = nullptr;
    napi_get_and_clear_last_exception(env, &error);
    if (error != nullptr) napi_reject_deferred(env, queued->deferred, error);
  }
  napi_delete_async_work(env, queued->work);
}

napi_value Queue(napi_env env, Function function, uint32_t mode, std::unique_ptr<Call> call) {
  Environment* const environment = Environment::Of(env);
  auto queued =
      std::make_unique<Queued>(Queued{environment, function, mode, std::move(call), {}, {}});
  napi_value promise = nullptr;
  napi_value name = nullptr;
  napi_create_string_utf8(env, "dolmen", NAPI_AUTO_LENGTH, &name);
  if (napi_create_promise(env, &queued->deferred, &promise) != napi_ok ||
      napi_create_async_work(env, nullptr, name, Run, Complete, queued.get(), &queued->work) !=
          napi_ok) {
    return nullptr;
  }
  environment->BeginCall();
  if (napi_queue_async_work(env, queued->work) != napi_ok) {
    environment->EndCall();
    napi_delete_async_work(env, queued->work);
    return nullptr;
  }
  queued.release();  // Complete owns it
  return promise;
}

}  // namespace

napi_value Execute(napi_env env, Function function, uint32_t mode, std::unique_ptr<Call> call) {
  if ((mode & kAsync) != 0) return Queue(env, function, mode, std::move(call));
  function(call.get());
  return ResultOf(env, mode, call.get());
}

}  // namespace dolmen_node
