// Rows of which a store knows without a read that they do not exist.

#pragma once

#include <rocksdb/db.h>
#include <rocksdb/table_properties.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "engine/base/mutex.h"
#include "engine/storage/absence/greatest_sort_keys.h"
#include "engine/storage/written_row.h"

namespace dolmen::engine {

// Knows the greatest sort keys of all rows of a store: of the rows in the table files, and of the rows
// that were written since the store was opened. RocksDB flushes the rows of the log when it opens a
// database for writing, so at first all rows are in table files. Thread-safe.
class AbsentRows {
 public:
  // Returns a factory of collectors, which write the greatest sort keys of each table file as a property
  // into the file.
  static std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> Collector();

  // Notes the rows of a batch. Call it before the batch is written, with every batch.
  void Note(std::string_view batch, std::span<const WrittenRow> rows) DOLMEN_EXCLUDES(mutex_);

  // Returns true only if no row with this key exists, and no batch that was noted writes one. May return
  // false for an absent row. The first call reads the properties of all table files, while other writers
  // wait. If a file cannot be read, or lacks the property because an earlier release wrote it, this call
  // and all later ones return false.
  bool Knows(std::string_view key, rocksdb::DB* db) DOLMEN_EXCLUDES(mutex_);

 private:
  // Tells whether greatest_ contains the rows of the table files.
  enum class Files : std::uint8_t { kNotRead, kAdded, kUnknown };

  Mutex mutex_;
  GreatestSortKeys greatest_ DOLMEN_GUARDED_BY(mutex_);
  Files files_ DOLMEN_GUARDED_BY(mutex_) = Files::kNotRead;
};

}  // namespace dolmen::engine
