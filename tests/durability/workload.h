// A sequence of writes, and the expected contents of the table after each write. A write depends
// only on the seed and on its number in the sequence. So a test can tell which writes a database
// holds after a kill.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"

namespace dolmen::test {

// The contents of a table: items by partition key and sort key.
using Contents = std::map<std::pair<std::string, std::string>, Item>;

class Workload {
 public:
  explicit Workload(std::uint64_t seed) : seed_(seed) {}

  static CreateTableInput TableInput();

  // Executes write `number`. A write is a put, an update that moves an index entry, a delete, or a
  // transaction of several of these.
  Status Do(std::uint64_t number, Database& db, const Table& table) const;

  // Changes `contents` from the state before write `number` to the state after it.
  void Apply(std::uint64_t number, Contents* contents) const;
  // Returns the contents of the table after the writes up to write `number`.
  Contents After(std::uint64_t number) const;

 private:
  struct Write;
  std::vector<Write> Writes(std::uint64_t number) const;

  std::uint64_t seed_;
};

// Returns all items of the table.
//
// Errors:
// - kCorruption: the items that the index or GetItem returns differ from the items of the table.
Result<Contents> ReadAll(const Table& table);

}  // namespace dolmen::test
