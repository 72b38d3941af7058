// A table of an open database, with its current schema and its former ones.

#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/internal/lifetime.h"
#include "dolmen/result.h"
#include "dolmen/table_ref.h"
#include "engine/base/mutex.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// A table of an open database, or a deleted table whose streams can still be read. An operation takes
// the current schema when it begins, and checks later that this schema is still the current one. A
// writer checks this after it has locked its rows (atomic_write.h). A reader checks this after it has
// read (ReadWithSchema). If the schema has changed, the operation begins again.
//
// Thread-safe. Replace, Annotate, Drop and Undrop are for the catalog, which makes one change at a time.
class LiveTable final : public internal::TableState {
 public:
  explicit LiveTable(TableSchema schema) : name_(schema.name), keyspace_(schema.keyspace) {
    Replace(std::move(schema));
  }

  const std::string& name() const DOLMEN_LIFETIME_BOUND override { return name_; }

  KeyspaceId keyspace() const { return keyspace_; }  // the keyspace of the rows

  // Returns the current schema without its annotations, or null if the table is dropped. The
  // schema lives as long as this object.
  const TableSchema* schema() const DOLMEN_LIFETIME_BOUND {
    return current_.load(std::memory_order_acquire);
  }

  // Returns the schema by which the table's streams are read: the last schema, even if the table is
  // dropped. The schema lives as long as this object.
  const TableSchema* stream_schema() const DOLMEN_LIFETIME_BOUND {
    return last_.load(std::memory_order_acquire);
  }

  // Returns the table's current annotations.
  std::shared_ptr<const Map> annotations() const {
    const MutexLock lock(mutex_);
    return annotations_;
  }

  // Returns a copy of the current schema that includes the annotations. REQUIRES: the table is not
  // dropped.
  TableSchema CopyWithAnnotations() const {
    TableSchema copy = *schema();
    copy.annotations = *annotations();
    return copy;
  }

  // Publishes a new schema and its annotations.
  void Replace(TableSchema schema) {
    Annotate(std::exchange(schema.annotations, {}));
    schemas_.push_back(std::make_unique<const TableSchema>(std::move(schema)));
    last_.store(schemas_.back().get(), std::memory_order_release);
    current_.store(schemas_.back().get(), std::memory_order_release);
  }
  // Publishes new annotations.
  void Annotate(Map annotations) {
    auto shared = std::make_shared<const Map>(std::move(annotations));
    const MutexLock lock(mutex_);
    annotations_.swap(shared);
  }
  // Marks the table as dropped. From then on schema() returns null in every thread.
  void Drop() { current_.store(nullptr, std::memory_order_release); }
  // Takes back a Drop that has failed. From then on schema() returns the last schema again.
  void Undrop() { current_.store(schemas_.back().get(), std::memory_order_release); }

 private:
  const std::string name_;
  const KeyspaceId keyspace_;
  // All schemas that the table has had, because an operation may still use a former one. Schemas
  // are small and change seldom. Annotations may be large and change often, so `annotations_` holds
  // them separately.
  std::vector<std::unique_ptr<const TableSchema>> schemas_;
  std::atomic<const TableSchema*> current_ = nullptr;
  std::atomic<const TableSchema*> last_ = nullptr;  // current_, but not null after Drop
  mutable Mutex mutex_;
  std::shared_ptr<const Map> annotations_ DOLMEN_GUARDED_BY(mutex_);
};

using LiveTableRef = std::shared_ptr<LiveTable>;

// Returns the LiveTable that belongs to a table handle. REQUIRES: the handle's backend is an
// Engine.
inline LiveTable& LiveTableOf(const TableRef& table) {
  return static_cast<LiveTable&>(*table.state());
}

// Returns a kResourceNotFound error with DynamoDB's message for operations on items.
inline Status NoSuchTable() { return Status::ResourceNotFound("Requested resource not found"); }

// Calls read(schema) with the table's current schema and returns the result. Repeats the call if
// the schema has changed meanwhile, because the call may have read keyspaces that are being purged.
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

// Calls read(schemas) with the current schemas of several tables, in the order of `tables`, and
// returns the result. Repeats the call if one of the schemas has changed meanwhile.
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
