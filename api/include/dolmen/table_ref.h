// The name by which batches and transactions refer to an open table.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <memory>
#include <string>
#include <utility>

#include "dolmen/internal/lifetime.h"

namespace dolmen {

namespace internal {
class Backend;

// An open table inside its backend. Each backend derives its own class.
class TableState {
 public:
  virtual ~TableState() = default;
  virtual const std::string& name() const = 0;
};
}  // namespace internal

// A reference to an open table. Requests use it to name a table, for example in a batch or a
// transaction. Every Table is a TableRef:
//
//   TransactWriteItem action{.table = table, .action = PutItemInput{.item = item}};
//
// A handle: copies refer to the same table, and they keep its database open. A handle that was
// moved from can only be assigned to or destroyed. Thread-safe.
class TableRef {
 public:
  // For implementations of internal::Backend. A program gets a TableRef from Database::CreateTable
  // or Database::OpenTable, because the returned Table is a TableRef.
  TableRef(std::shared_ptr<internal::Backend> backend, std::shared_ptr<internal::TableState> state)
      : backend_(std::move(backend)), state_(std::move(state)) {}

  // Returns the table's name. The reference is valid as long as this object.
  const std::string& name() const DOLMEN_LIFETIME_BOUND { return state_->name(); }

  // For implementations of internal::Backend. Return the backend of the table's database, and the
  // backend's object for the table.
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

#include "dolmen/internal/show_macros.h"
