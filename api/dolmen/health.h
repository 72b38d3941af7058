// The state of an open database: the memory and disk space that it uses (Database::Stats), and the
// report of a search for damage (Database::Verify).
//
//   const auto report = db.Verify([](const VerifyProgress& progress) {
//     std::cerr << static_cast<int>(progress.fraction * 100) << " %\r";
//     return true;
//   });
//   if (report.ok() && report->finding_count == 0) std::cout << "intact";

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dolmen/internal/function.h"

namespace dolmen {

// The sizes of a database at one moment. RocksDB reports the sizes on disk and in memory.
struct DatabaseStats {
  std::uint64_t tables = 0;

  // Sizes on disk. All are zero for a database in memory.
  std::uint64_t table_files = 0;       // number of RocksDB's table files
  std::uint64_t table_file_bytes = 0;  // compressed, as stored
  std::uint64_t log_bytes = 0;         // writes that no table file holds yet

  // Sizes in memory, in bytes.
  std::uint64_t memory_table_bytes = 0;  // table files of a database in memory; otherwise zero
  std::uint64_t write_buffer_bytes = 0;  // recent writes (OpenOptions::write_buffer_bytes)
  std::uint64_t cache_bytes = 0;         // the used part of OpenOptions::cache_bytes

  // An estimate of the bytes that compactions in the background still have to rewrite. While no
  // program writes, the number falls to zero.
  std::uint64_t pending_compaction_bytes = 0;
};

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
using VerifyProgressHandler = internal::Function<bool(const VerifyProgress&)>;

}  // namespace dolmen
