// Looking through a database for damage.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dolmen {

// One thing that is not as it should be.
struct VerifyFinding {
  std::string table = {};  // empty: it is the files', or can't be told
  std::string index = {};  // empty: it is the table's own
  std::string message = {};
};

// An index that is being made: an entry that it lacks is no finding, as it may be made yet.
struct UnfinishedIndex {
  std::string table = {};
  std::string index = {};  // empty: it is the time to live's
};

struct VerifyOutput {
  std::uint64_t items = 0;           // of all tables
  std::uint64_t index_entries = 0;   // of all their indexes
  std::uint64_t stream_records = 0;  // of all their streams
  std::uint64_t finding_count = 0;
  std::vector<VerifyFinding> findings = {};  // the first hundred of them
  std::vector<UnfinishedIndex> unfinished_indexes = {};
  bool complete = true;  // the handler has not ended it
};

struct VerifyProgress {
  std::string table = {};
  std::uint64_t items_read = 0;  // of all tables
  double fraction = 0;           // of all that is to be read, estimated, 0 to 1
};

// Returns whether to go on.
using VerifyProgressHandler = std::function<bool(const VerifyProgress&)>;

}  // namespace dolmen
