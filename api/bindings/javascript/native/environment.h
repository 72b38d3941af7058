// A JavaScript environment, which is the main thread or a worker, and the objects that it owns.

#pragma once

#include <node_api.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>

#include "bindings/javascript/native/open_database.h"

namespace dolmen_node {

class Subscription;

// A Database object of JavaScript. It shares the database until it is closed. Only the thread of
// its environment uses it.
struct Handle {
  std::shared_ptr<OpenDatabase> database;  // nullptr: closed
};

// Counts the calls in libuv's worker pool and closes everything when the environment ends.
class Environment {
 public:
  // Returns the environment of `env`, which Attach has created.
  static Environment* Of(napi_env env);

  // Creates the environment. It ends with `env`.
  static void Attach(napi_env env);

  // Returns an External of JavaScript that owns a share of the database.
  napi_value NewHandle(napi_env env, std::shared_ptr<OpenDatabase> database);

  void Add(const std::shared_ptr<Subscription>& subscription);
  void Remove(const std::shared_ptr<Subscription>& subscription);

  // Counts a call that the worker pool executes. Thread-safe.
  void BeginCall();
  void EndCall();

  // Returns true if calls that have not started must not start. Thread-safe.
  bool is_ending() const;

  // Ends the subscriptions, waits for the running calls and closes the databases. Calls that have
  // not started fail.
  void CloseAll();

 private:
  static void DeleteHandle(napi_env env, void* data, void* hint);

  std::set<Handle*> handles_;
  std::set<std::shared_ptr<Subscription>> subscriptions_;
  mutable std::mutex mutex_;
  std::condition_variable finished_;
  int calls_ = 0;           // guarded by mutex_
  bool is_ending_ = false;  // guarded by mutex_
};

}  // namespace dolmen_node
