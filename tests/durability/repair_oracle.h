// A check that a repair keeps everything that an undamaged block or log record holds.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dolmen/result.h"
#include "engine/repair/repair_files.h"
#include "engine/repair/version.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// The keys and values of a store.
using Rows = std::map<std::string, std::string>;

// Reads all keys and values of the store: tables, indexes, streams, tokens and positions.
Result<Rows> ReadRows(const Store& store);

// Returns the same of the database in `directory`. Fails the test if an error occurs.
Rows ReadAllRows(const std::filesystem::path& directory);

// The places in which the files of a sound database hold the latest version of each key.
class RepairOracle {
 public:
  // Reads the database in `original`, which must stay unchanged.
  explicit RepairOracle(std::filesystem::path original);

  const Rows& rows() const { return rows_; }

  // Repairs the database in `copy` into `to`. `copy` is a copy of `original` with damaged files.
  // Returns "whole" if nothing is lost, "partial" if the repair reports what is lost, or else a
  // description of what is wrong.
  std::string Repair(const std::filesystem::path& copy, const std::filesystem::path& to) const;

 private:
  // A part of a file.
  struct Place {
    std::string file;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  using Files = std::map<std::string, std::string>;  // names and contents

  // Compares the rows of each table and stream. Returns the same as Repair().
  std::string Compare(const Rows& repaired, const Files& damaged,
                      const std::vector<FileGap>& gaps) const;
  void FindPlacesInTables();
  void FindPlacesInLogs();
  // Returns true if the place has the same bytes in these files as in the original.
  bool IsIntact(const Place& place, const Files& files) const;

  const std::filesystem::path original_;
  const std::shared_ptr<RepairFiles> system_;  // decrypts the files in an encrypted run
  Rows rows_;
  Files files_;
  std::map<std::string, Place> places_;            // of the latest version of each key
  std::map<std::string, std::uint64_t> versions_;  // their numbers
  std::map<std::string, std::string>
      descriptions_;  // the key in the catalog of the table that owns a keyspace
};

}  // namespace dolmen::engine
