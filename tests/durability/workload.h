// A row of writes in which each follows from its number alone, and what a table must hold after any
// of them.  So whoever finds a database after an accident can say which of its states it is in.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"

namespace dolmen::test {

// What a table holds: items by partition and sort key.
using Contents = std::map<std::pair<std::string, std::string>, Item>;

class Workload {
 public:
  explicit Workload(std::uint64_t seed) : seed_(seed) {}

  static CreateTableInput TableInput();

  // Does write `number`: a put, an update that moves an index entry, or a transaction of several.
  Status Do(std::uint64_t number, Database& db, const Table& table) const;

  // Takes `contents` from the state before write `number` to the one after it.
  void Apply(std::uint64_t number, Contents* contents) const;
  Contents After(std::uint64_t number) const;

 private:
  struct Write;
  std::vector<Write> Writes(std::uint64_t number) const;

  std::uint64_t seed_;
};

// Everything that the table holds.  kCorruption, too, if its index does not hold the same.
Result<Contents> ReadAll(const Table& table);

}  // namespace dolmen::test
