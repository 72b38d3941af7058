// Dolmen as a user has it: loaded and read through its public API.

#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "bench/contender.h"
#include "bench/data.h"
#include "dolmen/database.h"

namespace dolmen::bench {

class DolmenStore : public LoadedStore {
 public:
  static constexpr std::string_view kName = "dolmen";
  static Result<std::unique_ptr<DolmenStore>> Load(const DataSet& data,
                                                   const std::filesystem::path& directory);

  const Database& database() const { return database_; }

  // The database's only table, with the conventional keys PK and SK.
  const Table& table() const { return table_; }

 private:
  DolmenStore(Database database, Table table)
      : database_(std::move(database)), table_(std::move(table)) {}

  Database database_;
  Table table_;
};

}  // namespace dolmen::bench
