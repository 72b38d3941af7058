// A table of an open database, through the schemas that it has in its life.

#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/lifetime.h"
#include "dolmen/table_ref.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// Everybody who works on a table takes its schema when they begin, and looks again whether it still
// is the table's: writers when they have locked their rows (write_action.h), readers when they have
// read (read.h).  If it is not, they begin anew.
//
// Callable from any number of threads; the catalog alone changes it.
class LiveTable final : public internal::TableState {
 public:
  explicit LiveTable(TableSchema schema) : name_(schema.name), keyspace_(schema.keyspace) {
    Replace(std::move(schema));
  }

  const std::string& name() const DOLMEN_LIFETIME_BOUND override { return name_; }

  KeyspaceId keyspace() const { return keyspace_; }  // of its rows

  // The schema as of now, without annotations; null once the table is dropped.  Lives as long as
  // this object.
  const TableSchema* schema() const DOLMEN_LIFETIME_BOUND {
    return current_.load(std::memory_order_acquire);
  }

  // The caller's annotations as of now.
  std::shared_ptr<const Map> annotations() const {
    const std::lock_guard lock(mutex_);
    return annotations_;
  }

  // A copy of the schema, with the annotations.  REQUIRES: it is not dropped
  TableSchema CopyWithAnnotations() const {
    TableSchema copy = *schema();
    copy.annotations = *annotations();
    return copy;
  }

  void Replace(TableSchema schema) {
    Annotate(std::exchange(schema.annotations, {}));
    schemas_.push_back(std::make_unique<const TableSchema>(std::move(schema)));
    current_.store(schemas_.back().get(), std::memory_order_release);
  }
  void Annotate(Map annotations) {
    auto shared = std::make_shared<const Map>(std::move(annotations));
    const std::lock_guard lock(mutex_);
    annotations_.swap(shared);
  }
  void Drop() { current_.store(nullptr, std::memory_order_release); }

 private:
  const std::string name_;
  const KeyspaceId keyspace_;
  // All that there ever were, as somebody may still look at one.  They are small, and changes rare.
  // Annotations need be neither.
  std::vector<std::unique_ptr<const TableSchema>> schemas_;
  std::atomic<const TableSchema*> current_ = nullptr;
  mutable std::mutex mutex_;
  std::shared_ptr<const Map> annotations_;
};

using LiveTableRef = std::shared_ptr<LiveTable>;

// Returns the engine's table behind a handle.  REQUIRES: the handle's backend is an Engine.
inline LiveTable& LiveTableOf(const TableRef& table) {
  return static_cast<LiveTable&>(*table.state());
}

// Returns kResourceNotFound in the words that DynamoDB's operations on items use.
Status NoSuchTable();

// Returns read(schema) for the table's current schema.  Repeats the read if the schema has changed
// meanwhile, because the read may have met keyspaces that are being deleted.
// - kResourceNotFound: the table is deleted.
template <typename Read>
auto ReadWithSchema(const LiveTable& table, Read read) -> decltype(read(*table.schema())) {
  for (;;) {
    const TableSchema* const schema = table.schema();
    if (schema == nullptr) return NoSuchTable();
    auto result = read(*schema);
    if (table.schema() == schema) return result;
  }
}

// Returns read(schemas) for the current schemas of several tables, in the order of `tables`.  Repeats
// the read if one of the schemas has changed meanwhile.
// - kResourceNotFound: one of the tables is deleted.
template <typename Read>
auto ReadWithSchema(std::span<LiveTable* const> tables, Read read)
    -> decltype(read(std::span<const TableSchema* const>())) {
  const auto schemas_now = [&] {
    std::vector<const TableSchema*> schemas;
    for (const LiveTable* table : tables) schemas.push_back(table->schema());
    return schemas;
  };
  for (;;) {
    const std::vector<const TableSchema*> schemas = schemas_now();
    if (std::find(schemas.begin(), schemas.end(), nullptr) != schemas.end()) return NoSuchTable();
    auto result = read(std::span(schemas));
    if (schemas_now() == schemas) return result;
  }
}

}  // namespace dolmen::engine
