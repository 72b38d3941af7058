// The objects behind the handles of C.

#pragma once

#include <string>
#include <string_view>

#include "c/dolmen.h"
#include "dolmen/database.h"
#include "dolmen/subscription.h"
#include "dolmen/wire.h"
#include "engine/base/mutex.h"
#include "engine/base/own_process.h"

// An open database. Thread-safe.
struct dolmen_database : dolmen::internal::OfOwnProcess {
 public:
  dolmen_database(dolmen::Database database, dolmen::EndpointOptions options);

  // Executes a request as Endpoint::Execute does. Sees the database before or after a reset.
  void Execute(std::string_view operation, std::string_view json,
               dolmen::EndpointResponse* response) const DOLMEN_EXCLUDES(mutex_);

  // Returns the database as it is until the next reset.
  dolmen::Database Current() const DOLMEN_EXCLUDES(mutex_);

  // Fails as Database::Reset does.
  dolmen::Status Reset() DOLMEN_EXCLUDES(mutex_);

  const dolmen::EndpointOptions& options() const { return options_; }

 private:
  const dolmen::EndpointOptions options_;
  mutable dolmen::SharedMutex mutex_;  // a request holds it as a reader while it is executed
  dolmen::Database database_ DOLMEN_GUARDED_BY(mutex_);
  dolmen::Endpoint endpoint_ DOLMEN_GUARDED_BY(mutex_);
};

// A running subscription.
struct dolmen_subscription {
  dolmen::Subscription subscription;
};

namespace dolmen::c {

// Returns a function that passes a record, as an array of one record, to a function of C.
RecordHandler HandlerOf(dolmen_handler handler, void* context, std::string region);

}  // namespace dolmen::c
