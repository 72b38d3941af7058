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
  static Result<std::unique_ptr<DolmenStore>> Load(const ChatData& data,
                                                   const std::filesystem::path& directory);

  // The database's only table, with the conventional keys PK and SK.
  const Table& table() const { return table_; }

 private:
  explicit DolmenStore(Table table) : table_(std::move(table)) {}

  Table table_;  // keeps the database open
};

}  // namespace dolmen::bench
