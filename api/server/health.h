// A check that the database can still be written.

#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "dolmen/database.h"

namespace dolmen::server {

// A monitor of the database, which reports only the first failure. Thread-safe.
class Health {
 public:
  // `on_failure` is called once, in the thread that detects the failure. It must not throw.
  Health(Database database, std::function<void()> on_failure);

  // Calls `on_failure` if the database must be reopened before it can be written. Called after a
  // response with an internal error. A full disk is not a failure, because writes work again when
  // there is space.
  void Check();

  // Returns true if no failed write has made the database read-only.
  bool good() const { return database_.WriteFailure().ok(); }
  // Returns the reason why a write would fail now, or an empty text. In contrast to good(), reports
  // a full disk and a missing directory, too.
  std::string Problem() const;
  // Returns the message of the first write that failed. REQUIRES: !good()
  std::string cause() const { return database_.WriteFailure().message(); }

 private:
  const Database database_;
  const std::function<void()> on_failure_;
  std::once_flag failed_;
};

}  // namespace dolmen::server
