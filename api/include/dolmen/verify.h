// The search of a database for damage (Database::Verify).
//
//   const auto report = db.Verify([](const VerifyProgress& progress) {
//     std::cerr << static_cast<int>(progress.fraction * 100) << " %\r";
//     return true;
//   });
//   if (report.ok() && report->finding_count == 0) std::cout << "intact";

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dolmen {

// One piece of damage: a block that cannot be read, an item with damaged bytes, an index entry that
// is missing or has no item, or a damaged stream record.
struct VerifyFinding {
  std::string table = {};    // empty: the finding is about a file, or its table is unknown
  std::string index = {};    // empty: the finding is about the table itself
  std::string message = {};  // the damage, with the item's key where it is known
};

// An index whose backfill has not ended. Missing entries of this index are not findings, because
// the backfill may still write them.
struct UnfinishedIndex {
  std::string table = {};
  std::string index = {};  // empty: the index of the table's time to live
};

// The result of a search for damage.
struct VerifyOutput {
  // The numbers of items, index entries and stream records that the search has read in all tables.
  std::uint64_t items = 0;
  std::uint64_t index_entries = 0;
  std::uint64_t stream_records = 0;

  // The number of findings; 0 if the database is intact.
  std::uint64_t finding_count = 0;
  std::vector<VerifyFinding> findings = {};  // the first hundred

  std::vector<UnfinishedIndex> unfinished_indexes = {};

  // False if the progress handler ended the search. The numbers then cover only a part of the
  // data.
  bool complete = true;
};

// The progress of a search for damage.
struct VerifyProgress {
  std::string table = {};        // the table that is being read; empty: a file
  std::uint64_t items_read = 0;  // of all tables
  double fraction = 0;           // estimated part of the bytes read, 0 to 1; never decreases
};

// A function that Verify calls repeatedly, on the thread that called Verify. The function returns
// true to continue and false to end the search.
using VerifyProgressHandler = std::function<bool(const VerifyProgress&)>;

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
