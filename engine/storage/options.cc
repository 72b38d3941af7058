#include "engine/storage/options.h"

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/listener.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/table_properties_collectors.h>

#include <algorithm>
#include <bit>

#include "engine/storage/files/free_space.h"
#include "engine/storage/files/process_limits.h"
#include "engine/storage/rocks_versions.h"

namespace dolmen::engine {
namespace {

// A logger that writes nothing. RocksDB's own logger would rename and write files in the directory
// before RocksDB holds the directory's lock.
class SilentLogger : public rocksdb::Logger {
 public:
  SilentLogger() : Logger(rocksdb::InfoLogLevel::HEADER_LEVEL) {}
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

// A listener that switches off RocksDB's recovery from errors. After an error the store writes
// nothing until it is reopened (store.cc). RocksDB's recovery has the same problems as RocksDB's
// Resume(). A comment in store.cc describes these problems.
class NoRecoveryInBackground : public rocksdb::EventListener {
 public:
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status,
                            bool* auto_recovery) override {
    *auto_recovery = false;
  }
};

rocksdb::CompressionType Compression(bool in_memory) {
  const auto supported = rocksdb::GetSupportedCompressions();
  const bool lz4 =
      std::find(supported.begin(), supported.end(), rocksdb::kLZ4Compression) != supported.end();
  return lz4 && !in_memory ? rocksdb::kLZ4Compression : rocksdb::kNoCompression;
}

rocksdb::BlockBasedTableOptions TableOptions(const StoreOptions& options) {
  rocksdb::BlockBasedTableOptions table;
  table.block_size = 32 << 10;  // large, because long runs are read more often than single rows
  // The next two options make reads of single rows fast. A hash table in each block finds the
  // restart interval of a key, and each interval is short.
  table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;
  table.block_restart_interval = 4;
  table.block_cache = options.block_cache != nullptr ? options.block_cache
                                                     : rocksdb::NewLRUCache(options.cache_bytes);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  // Charges filters and index blocks to the cache, so that the cache's size limits their memory.
  table.cache_index_and_filter_blocks = true;
  table.metadata_cache_options.unpartitioned_pinning = rocksdb::PinningTier::kAll;
  table.metadata_cache_options.top_level_index_pinning = rocksdb::PinningTier::kAll;
  table.checksum = rocksdb::kXXH3;
  table.format_version = 5;
  return table;
}

// Sets the options that only a database in memory has.
void SetMemoryOptions(rocksdb::Options* rocks) {
  // Keep an opening short whatever the number of files: RocksDB then opens 16 table files at most,
  // and reads no statistics from them.
  rocks->max_open_files = 1 << 20;
  rocks->skip_stats_update_on_db_open = true;
  // The shards of the cache of open files. RocksDB's default is 64 shards.
  rocks->table_cache_numshardbits = 2;
  // Compacts half as often as RocksDB's default of 4 files. Each compaction rewrites most of the database,
  // and without compression a further table file costs a read little.
  rocks->level0_file_num_compaction_trigger = 8;
  // Copies blocks into the file at once, and not into a buffer first. A block is larger than this buffer.
  rocks->writable_file_max_buffer_size = 4 << 10;
  // Keeps RocksDB from writing a table file when it closes a database, because the file would be
  // deleted at once. RocksDB does so because no log has the writes.
  rocks->avoid_flush_during_shutdown = true;
}

}  // namespace

StoreOptions ScaledToVolume(const StoreOptions& options, DatabaseFiles* files) {
  StoreOptions scaled = options;
  if (files == nullptr || options.read_only) return scaled;
  scaled.write_buffer_bytes =
      FreeSpace::BufferBytesFor(files, options.directory, options.write_buffer_bytes);
  return scaled;
}

void MakeCompactionsSmall(rocksdb::Options* rocks) {
  rocks->target_file_size_base = rocks->write_buffer_size;
  rocks->max_bytes_for_level_base = 4 * rocks->write_buffer_size;
}

rocksdb::Options RocksOptions(const StoreOptions& options, rocksdb::Env* env) {
  // Copies the defaults. The constructor of rocksdb::Options creates a block cache, which is then
  // replaced: 4 % of the instructions of an opening in memory.
  static const rocksdb::Options& defaults = *new rocksdb::Options();  // never destroyed
  rocksdb::Options rocks = defaults;
  rocks.create_if_missing = true;
  if (env != nullptr) rocks.env = env;
  rocks.info_log = std::make_shared<SilentLogger>();
  rocks.listeners = {std::make_shared<NoRecoveryInBackground>()};
  rocks.max_bgerror_resume_count = 0;
  rocks.table_factory.reset(rocksdb::NewBlockBasedTableFactory(TableOptions(options)));
  rocks.compression = Compression(options.in_memory);
  rocks.write_buffer_size = options.write_buffer_bytes;
  // Gives each memtable a Bloom filter. Most writes first read their row, and most written rows are
  // new. The Bloom filter shows that the memtable does not hold the row. This is much faster than a
  // search in the memtable.
  rocks.memtable_whole_key_filtering = true;
  rocks.memtable_prefix_bloom_size_ratio = 0.005;  // 13 bits for a row of 330 bytes
  rocks.max_write_buffer_number = kWriteBuffers;
  rocks.max_background_jobs = kBackgroundJobs;
  rocks.level_compaction_dynamic_level_bytes = true;
  // Drops a record that is cut off at the log's end, because the write of that record was never
  // acknowledged. Any other unreadable record may hold an acknowledged write, so opening the
  // database then fails.
  rocks.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  // max_open_files must not be -1, which means that all files stay open. With -1 RocksDB also uses the
  // class CompactedDBImpl for a database that is only read, and whose files form one sorted run.
  // CompactedDBImpl ignores the memtable, and thus the writes in the log.
  rocks.max_open_files = OpenFilesMax();
  // The shards of the cache of open files, 64 at most. Each may hold one file more than its share.
  constexpr unsigned kFilesPerShard = 16;
  const unsigned shares = static_cast<unsigned>(rocks.max_open_files) / kFilesPerShard;
  rocks.table_cache_numshardbits = std::min(6, static_cast<int>(std::bit_width(shares)));
  // Opens the table files without further threads, because RocksDB ends the process if it cannot start
  // one of them.
  rocks.max_file_opening_threads = 1;
  if (options.in_memory) SetMemoryOptions(&rocks);
  // Starts the write-back of a log early. A log is synced before the next log begins, and the sync
  // would otherwise have to write the whole log.
  rocks.wal_bytes_per_sync = 1 << 20;
  // Compacts a table file of which at least half of the entries are deletions, until the deletions
  // and the data that they delete are gone. Otherwise deleted data would keep its space until other
  // writes cause a compaction.
  rocks.table_properties_collector_factories = {
      rocksdb::NewCompactOnDeletionCollectorFactory(0, 0, 0.5)};
  // Limits the space that RocksDB reserves for a new log, by default 1.1 write buffers. A log that
  // begins on an almost full disk would take the space that the flush of the former log needs. This
  // option has no other effect in a database with one column family.
  rocks.max_total_wal_size = 1 << 20;
  // By default RocksDB reserves 4 MB for the manifest, a large part of a small volume.
  rocks.manifest_preallocation_size = 64 << 10;
  // Begins a new manifest before the old one has the size that a file of the process may have.
  rocks.max_manifest_file_size = std::min(rocks.max_manifest_file_size, FileBytesMax() / 4);
  OpenWithoutOptionsFile(&rocks);
  // A fork copies the manifest, but is a database of its own. True is the default of newer versions.
  rocks.write_dbid_to_manifest = false;
  rocks.stats_dump_period_sec = 0;
  rocks.stats_persist_period_sec = 0;
  return rocks;
}

}  // namespace dolmen::engine
