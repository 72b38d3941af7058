// The table of a request part: what a Table is without its operations.

#pragma once

#include <memory>
#include <string>
#include <utility>

#include "dolmen/lifetime.h"

namespace dolmen {

namespace internal {
class Backend;

// An open table as its backend knows it.  Each backend derives a class of its own.
class TableState {
 public:
  virtual ~TableState() = default;
  virtual const std::string& name() const = 0;
};
}  // namespace internal

// Names an open table in a request, for example in a batch or a transaction.  Every Table is one:
//
//   TransactWriteItem action{.table = table, .action = PutItemInput{.item = item}};
//
// A handle: copies refer to the same table and keep its database open.  Thread-safe.
class TableRef {
 public:
  // For implementations of internal::Backend.  Callers get a TableRef from Database::OpenTable.
  TableRef(std::shared_ptr<internal::Backend> backend, std::shared_ptr<internal::TableState> state)
      : backend_(std::move(backend)), state_(std::move(state)) {}

  // Returns the table's name.  The reference is valid as long as this object.
  const std::string& name() const DOLMEN_LIFETIME_BOUND { return state_->name(); }

  // For implementations of internal::Backend.
  const std::shared_ptr<internal::Backend>& backend() const DOLMEN_LIFETIME_BOUND {
    return backend_;
  }
  const std::shared_ptr<internal::TableState>& state() const DOLMEN_LIFETIME_BOUND {
    return state_;
  }

 private:
  std::shared_ptr<internal::Backend> backend_;
  std::shared_ptr<internal::TableState> state_;
};

}  // namespace dolmen
