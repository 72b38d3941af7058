// The tables of a database, and the keyspaces that they have.

#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "dolmen/create_table.h"
#include "dolmen/result.h"
#include "engine/storage/store.h"
#include "engine/table/table_schema.h"

namespace dolmen::engine {

// Methods may be called from any number of threads.
class Catalog {
 public:
  // `store` outlives the catalog.
  explicit Catalog(Store* store) : store_(store) {}

  // Reads what the store holds.  Once, before anything else.
  Status Load();

  // kValidation: not a table that DynamoDB would make.  kResourceInUse: the name is taken.
  Result<TableSchemaRef> Create(const CreateTableInput& input);

  // kResourceNotFound: there is no such table.
  Result<TableSchemaRef> Find(std::string_view name) const;

 private:
  Store* store_;
  std::mutex create_;  // one at a time; taken before mutex_
  mutable std::shared_mutex mutex_;
  std::map<std::string, TableSchemaRef, std::less<>> tables_;
  std::uint32_t next_keyspace_ = static_cast<std::uint32_t>(KeyspaceId::kFirst);
};

}  // namespace dolmen::engine
