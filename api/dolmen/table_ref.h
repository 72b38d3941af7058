// TableRef: an open table without its operations, as requests name it.

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

// The name of an open table in a part of a request, for example of a batch or a transaction.  Every
// Table is a TableRef:
//
//   TransactWriteItem action{.table = table, .action = PutItemInput{.item = item}};
//
// A handle: copies refer to the same table and keep its database open.  A handle that was moved from
// can only be assigned to or destroyed.  Thread-safe.
class TableRef {
 public:
  // For implementations of internal::Backend.  Programs get their TableRef as the Table that
  // Database::CreateTable or Database::OpenTable returns.
  TableRef(std::shared_ptr<internal::Backend> backend, std::shared_ptr<internal::TableState> state)
      : backend_(std::move(backend)), state_(std::move(state)) {}

  // Returns the table's name.  The reference is valid as long as this object.
  const std::string& name() const DOLMEN_LIFETIME_BOUND { return state_->name(); }

  // For implementations of internal::Backend: the database that the table belongs to, and its own
  // object behind the handle.
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
