// A Dolmen database that is filled and read with the public API.

#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "bench/data.h"
#include "bench/stores.h"
#include "dolmen/database.h"

namespace dolmen::bench {

class DolmenStore : public OpenStore {
 public:
  static constexpr std::string_view kName = "dolmen";
  static Status Fill(const DataSet& data, Layout layout, const std::filesystem::path& directory);
  static Result<std::unique_ptr<DolmenStore>> Open(const std::filesystem::path& directory,
                                                   const StoreSettings& settings);

  const Database& database() const { return database_; }

  // Returns the only table of the database. The key attributes are PK and SK.
  const Table& table() const { return table_; }

 protected:
  DolmenStore(Database database, Table table)
      : database_(std::move(database)), table_(std::move(table)) {}

 private:
  Database database_;
  Table table_;
};

// A Dolmen database whose files are encrypted.
class DolmenEncryptedStore : public DolmenStore {
 public:
  static constexpr std::string_view kName = "dolmen_encrypted";
  static Status Fill(const DataSet& data, Layout layout, const std::filesystem::path& directory);
  static Result<std::unique_ptr<DolmenEncryptedStore>> Open(const std::filesystem::path& directory,
                                                            const StoreSettings& settings);

 private:
  using DolmenStore::DolmenStore;
};

// A Dolmen database whose table has a stream with old and new images.
class DolmenStreamStore : public DolmenStore {
 public:
  static Result<std::unique_ptr<DolmenStreamStore>> Open(const std::filesystem::path& directory,
                                                         const StoreSettings& settings);

 private:
  using DolmenStore::DolmenStore;
};

}  // namespace dolmen::bench
