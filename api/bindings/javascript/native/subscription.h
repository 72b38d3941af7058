// A subscription to the changes of a table, whose handler is a function of JavaScript.

#pragma once

#include <node_api.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "bindings/javascript/native/open_database.h"

namespace dolmen_node {

class Subscription;

// Records that a thread of the library passes to JavaScript, and the answer.
struct Delivery {
  std::string records;
  std::shared_ptr<Subscription> subscription;
  std::optional<bool> is_handled;  // guarded by the subscription's mutex
};

// A running subscription. JavaScript answers each delivery by Answer().
class Subscription : public std::enable_shared_from_this<Subscription> {
 public:
  explicit Subscription(std::shared_ptr<OpenDatabase> database) : database_(std::move(database)) {}

  // Begins to call `handler(records, delivery)`. Returns the status and the response of
  // dolmen_subscribe.
  int Begin(napi_env env, napi_value handler, const std::string& table, const std::string& name,
            dolmen_buffer* response);

  // Tells the library whether the handler has succeeded. Thread-safe.
  void Answer(Delivery* delivery, bool is_handled);

  // Makes all deliveries fail, so that no thread waits for JavaScript. Thread-safe.
  void Abandon();

  // Ends the subscription, after the running handler. A second call has no effect. The thread of
  // JavaScript must not call it before Abandon, because the handler runs in that thread.
  void End();

  // Releases the handler. Only the thread of JavaScript calls it, after End.
  void ReleaseHandler();

 private:
  static int HandleRecords(void* context, const char* records, size_t size);
  static void CallHandler(napi_env env, napi_value handler, void* context, void* data);
  int Deliver(const char* records, size_t size);

  std::shared_ptr<OpenDatabase> database_;
  napi_threadsafe_function handler_ = nullptr;
  dolmen_subscription* subscription_ = nullptr;
  std::mutex mutex_;
  std::condition_variable answered_;
  bool is_abandoned_ = false;  // guarded by mutex_
};

}  // namespace dolmen_node
