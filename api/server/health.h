// Whether the database can still be written.

#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "dolmen/database.h"

namespace dolmen::server {

// Every method may be called from any number of threads.
class Health {
 public:
  // `on_failure` is called once, in the thread that sees the failure; it must not throw.
  Health(Database database, std::function<void()> on_failure);

  // After an answer that says that something is wrong here: is it so that the database has to be
  // opened again?  A disk that is full is not, for writes go on as soon as there is space.
  void Check();

  bool good() const { return database_.WriteFailure().ok(); }
  // What the write said that failed first.  REQUIRES: !good().
  std::string cause() const { return database_.WriteFailure().message(); }

 private:
  const Database database_;
  const std::function<void()> on_failure_;
  std::once_flag failed_;
};

}  // namespace dolmen::server
