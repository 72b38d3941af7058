#include "bindings/javascript/native/subscription.h"

#include <utility>

namespace dolmen_node {

int Subscription::Begin(napi_env env, napi_value handler, const std::string& table,
                        const std::string& name, dolmen_buffer* response) {
  napi_value resource_name = nullptr;
  napi_create_string_utf8(env, "dolmen.subscribe", NAPI_AUTO_LENGTH, &resource_name);
  if (napi_create_threadsafe_function(env, handler, nullptr, resource_name, 0, 1, nullptr, nullptr,
                                      nullptr, CallHandler, &handler_) != napi_ok) {
    return 0;
  }
  const int status = dolmen_subscribe(database_->get(), table.c_str(), name.c_str(), HandleRecords,
                                      this, &subscription_, response);
  if (status != 200) ReleaseHandler();
  return status;
}

int Subscription::HandleRecords(void* context, const char* records, size_t size) {
  return static_cast<Subscription*>(context)->Deliver(records, size);
}

int Subscription::Deliver(const char* records, size_t size) {
  auto delivery = std::make_shared<Delivery>();
  delivery->records.assign(records, size);
  delivery->subscription = shared_from_this();
  auto* argument = new std::shared_ptr<Delivery>(delivery);
  std::unique_lock lock(mutex_);
  if (is_abandoned_ ||
      napi_call_threadsafe_function(handler_, argument, napi_tsfn_nonblocking) != napi_ok) {
    delete argument;
    return 1;
  }
  answered_.wait(lock, [&] { return is_abandoned_ || delivery->is_handled.has_value(); });
  return delivery->is_handled.value_or(false) ? 0 : 1;
}

void Subscription::CallHandler(napi_env env, napi_value handler, void*, void* data) {
  auto* delivery = static_cast<std::shared_ptr<Delivery>*>(data);
  const auto destroy = [](napi_env, void* owned, void*) {
    delete static_cast<std::shared_ptr<Delivery>*>(owned);
  };
  napi_value arguments[2] = {};
  napi_value receiver = nullptr;
  const std::string& records = (*delivery)->records;
  const std::shared_ptr<Delivery> kept = *delivery;
  if (env == nullptr || napi_get_undefined(env, &receiver) != napi_ok ||
      napi_create_string_utf8(env, records.data(), records.size(), &arguments[0]) != napi_ok ||
      napi_create_external(env, delivery, destroy, nullptr, &arguments[1]) != napi_ok) {
    kept->subscription->Answer(kept.get(), false);
    delete delivery;
    return;
  }
  // The handler is a function of the package that throws no exception.
  napi_call_function(env, receiver, handler, 2, arguments, nullptr);
}

void Subscription::Answer(Delivery* delivery, bool is_handled) {
  const std::lock_guard lock(mutex_);
  delivery->is_handled = is_handled;
  answered_.notify_all();
}

void Subscription::Abandon() {
  const std::lock_guard lock(mutex_);
  is_abandoned_ = true;
  answered_.notify_all();
}

void Subscription::End() {
  dolmen_unsubscribe(std::exchange(subscription_, nullptr));
  database_.reset();
}

void Subscription::ReleaseHandler() {
  if (handler_ != nullptr) napi_release_threadsafe_function(handler_, napi_tsfn_release);
  handler_ = nullptr;
}

}  // namespace dolmen_node
