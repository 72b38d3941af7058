// A copy of the readable part of a damaged database.

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/repair.h"
#include "dolmen/result.h"
#include "engine/repair/version.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Writes the keys and values of a database into a new store, in the order of the keys. Drops values
// that are damaged, and the entries of indexes. Builds the entries from the items. For one thread.
class Copier {
 public:
  // Borrows `store`, which must be empty.
  explicit Copier(Store* store) : store_(*store) {}

  // Copies a key and its value. REQUIRES: the keys are in ascending order.
  Status Copy(std::string_view key, std::string_view value);

  // Writes what is left. No call of Copy() may follow.
  Status Finish();

  // Returns the numbers of copied items and records so far, and the losses in single values.
  RepairOutput& output() { return output_; }
  // Returns the tables. REQUIRES: Finish() was called.
  const std::vector<TableSchema>& tables() const { return tables_; }

 private:
  // The table that owns a keyspace. `stream` is null for the rows of the table.
  struct Owner {
    const TableSchema* table = nullptr;
    const StreamSchema* stream = nullptr;
    bool is_index = false;
  };

  Status CopyMeta(std::string_view key, std::string_view value);
  // Copies the schema of a table, or of a deleted table. `name` is that of the entry, and is empty for
  // a deleted table.
  Status CopySchema(const std::string& name, Result<TableSchema> schema);
  Status CopyRow(const TableSchema& table, std::string_view key, std::string_view value);
  void CopyRecord(const Owner& owner, std::string_view key, std::string_view value);
  // Finds the owners of all keyspaces. The catalog precedes all tables.
  void FindOwners();
  void Put(const EncodedKey& key, std::string_view value);
  Status WriteBatchIfLarge();
  void AddLoss(const std::string& table, std::string message) {
    output_.losses.push_back({table, std::move(message)});
  }

  Store& store_;
  WriteBatch batch_;
  std::size_t batch_bytes_ = 0;
  std::vector<TableSchema> tables_;
  std::set<KeyspaceId> claimed_;  // the keyspaces that the tables' descriptions name
  std::map<KeyspaceId, Owner> owners_;
  bool has_owners_ = false;
  std::set<KeyspaceId> dropped_;                   // keyspaces that were to be purged
  std::map<KeyspaceId, std::uint64_t> ownerless_;  // the numbers of keys that no table owns
  std::uint32_t next_keyspace_ = static_cast<std::uint32_t>(KeyspaceId::kFirst);
  RepairOutput output_;
};

}  // namespace dolmen::engine
