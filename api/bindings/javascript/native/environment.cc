#include "bindings/javascript/native/environment.h"

#include <utility>

#include "bindings/javascript/native/subscription.h"

namespace dolmen_node {

Environment* Environment::Of(napi_env env) {
  void* data = nullptr;
  napi_get_instance_data(env, &data);
  return static_cast<Environment*>(data);
}

void Environment::Attach(napi_env env) {
  auto* environment = new Environment;
  const auto destroy = [](napi_env, void* data, void*) { delete static_cast<Environment*>(data); };
  napi_set_instance_data(env, environment, destroy, nullptr);
  const auto close = [](void* data) { static_cast<Environment*>(data)->CloseAll(); };
  napi_add_env_cleanup_hook(env, close, environment);
}

napi_value Environment::NewHandle(napi_env env, std::shared_ptr<OpenDatabase> database) {
  auto* handle = new Handle{std::move(database)};
  napi_value external = nullptr;
  if (napi_create_external(env, handle, DeleteHandle, this, &external) != napi_ok) {
    delete handle;
    return nullptr;
  }
  handles_.insert(handle);
  return external;
}

void Environment::DeleteHandle(napi_env, void* data, void* hint) {
  auto* handle = static_cast<Handle*>(data);
  static_cast<Environment*>(hint)->handles_.erase(handle);
  delete handle;
}

void Environment::Add(const std::shared_ptr<Subscription>& subscription) {
  subscriptions_.insert(subscription);
}

void Environment::Remove(const std::shared_ptr<Subscription>& subscription) {
  subscriptions_.erase(subscription);
}

void Environment::BeginCall() {
  const std::lock_guard lock(mutex_);
  ++calls_;
}

void Environment::EndCall() {
  const std::lock_guard lock(mutex_);
  if (--calls_ == 0) finished_.notify_all();
}

bool Environment::is_ending() const {
  const std::lock_guard lock(mutex_);
  return is_ending_;
}

void Environment::CloseAll() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  // A handler cannot run any more, and its library thread must not wait for it.
  for (const auto& subscription : subscriptions_) subscription->Abandon();
  {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return calls_ == 0; });
  }
  for (const auto& subscription : subscriptions_) subscription->End();
  subscriptions_.clear();
  for (Handle* handle : handles_) handle->database.reset();
}

}  // namespace dolmen_node
