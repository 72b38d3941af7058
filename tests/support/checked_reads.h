// Compares reads that the row cache answers with RocksDB.

#pragma once

#include <string>

#include "database/openers.h"
#include "tests/support/encrypted_run.h"

namespace dolmen::test {

// While it lives, the databases that Database::Open and Database::InMemory open compare each read that their
// row cache answers with RocksDB. A difference is an error of the read, kCorruption.
class CheckedReads {
 public:
  CheckedReads() {
    internal::openers.open = [](const std::string& directory, const OpenOptions& options) {
      return internal::ToDatabase(OpenEngine(directory, options, true), options);
    };
    internal::openers.in_memory = [](const OpenOptions& options) {
      return internal::ToDatabase(engine::Engine::InMemory(options, true), options);
    };
  }
  ~CheckedReads() { internal::openers = former_; }
  CheckedReads(const CheckedReads&) = delete;
  CheckedReads& operator=(const CheckedReads&) = delete;

 private:
  const internal::Openers former_ = internal::openers;
};

}  // namespace dolmen::test
