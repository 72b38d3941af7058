#include "dolmen/internal/bare_reads.h"

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/iterator.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <random>
#include <span>

#include "engine/base/status_macros.h"
#include "engine/storage/files/memory_files.h"
#include "engine/storage/options.h"
#include "engine/storage/rocks_status.h"
#include "engine/storage/rocks_versions.h"

namespace dolmen::internal {
namespace {

constexpr std::uint64_t kRowsPerBatch = 1000;
constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kCallsPerRound = 20;
constexpr std::size_t kRoundsMin = 21;
constexpr double kSecondsMin = 0.02;  // of all rounds together

using Key = std::array<char, kKeyBytes + 1>;

Key KeyOf(std::uint64_t row) {
  Key key;
  std::snprintf(key.data(), key.size(), "%0*" PRIu64, static_cast<int>(kKeyBytes), row);
  return key;
}

rocksdb::Slice ToSlice(const Key& key) { return {key.data(), kKeyBytes}; }

// Returns bytes that compress about as well as an item: half of each row repeats.
std::string ValueOf(std::size_t bytes, std::mt19937_64* random) {
  std::string value(bytes, 'x');
  for (std::size_t i = 0; i < bytes / 2; ++i) value[i] = static_cast<char>((*random)());
  return value;
}

// An open RocksDB database.
struct BareDatabase {
  std::unique_ptr<rocksdb::Env> env;  // null: the operating system's files
  std::unique_ptr<rocksdb::DB> db;

  Status Open(const BareReads& bare) {
    const engine::StoreOptions options = {
        .directory = bare.directory.empty() ? "/rocksdb" : bare.directory,
        .in_memory = env != nullptr,
        .cache_bytes = bare.options.cache_bytes,
        .write_buffer_bytes = bare.options.write_buffer_bytes};
    DOLMEN_ASSIGN_OR_RETURN(
        db, engine::OpenRocks(engine::RocksOptions(options, env.get()), options.directory,
                              [this] { static_cast<void>(env.release()); }));
    return {};
  }

  Status Load(const BareReads& bare) {
    rocksdb::WriteOptions options;
    options.disableWAL = env != nullptr;
    std::mt19937_64 random;
    for (std::uint64_t row = 0; row < bare.row_count;) {
      rocksdb::WriteBatch batch;
      const std::uint64_t end = std::min(row + kRowsPerBatch, bare.row_count);
      rocksdb::Status status;
      for (; row < end && status.ok(); ++row) {
        status = batch.Put(ToSlice(KeyOf(row)), ValueOf(bare.row_bytes, &random));
      }
      if (status.ok()) status = db->Write(options, &batch);
      if (!status.ok()) return engine::FromRocks(status, "writing");
    }
    return {};
  }
};

// A reader that reuses its iterator and its buffers.
class BareReader {
 public:
  explicit BareReader(rocksdb::DB& db)
      : db_(db), iterator_(db.NewIterator(rocksdb::ReadOptions())) {}

  // Reads the row of each key.
  rocksdb::Status ReadEach(std::span<const Key> keys) {
    rows_.clear();
    if (keys.size() == 1) {
      value_.Reset();
      const rocksdb::Status read =
          db_.Get(rocksdb::ReadOptions(), db_.DefaultColumnFamily(), ToSlice(keys[0]), &value_);
      Append(ToSlice(keys[0]), value_);
      return read;
    }
    std::vector<rocksdb::Slice> slices;
    for (const Key& key : keys) slices.push_back(ToSlice(key));
    std::vector<rocksdb::PinnableSlice> values(keys.size());
    std::vector<rocksdb::Status> statuses(keys.size());
    db_.MultiGet(rocksdb::ReadOptions(), db_.DefaultColumnFamily(), keys.size(), slices.data(),
                 values.data(), statuses.data());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!statuses[i].ok()) return statuses[i];
      Append(slices[i], values[i]);
    }
    return {};
  }

  // Reads `count` rows: an equal part of them from each key on.
  rocksdb::Status ReadRanges(std::span<const Key> first_keys, std::uint64_t count) {
    rows_.clear();
    if (rocksdb::Status refreshed = iterator_->Refresh(); !refreshed.ok()) return refreshed;
    for (std::size_t i = 0; i < first_keys.size(); ++i) {
      const std::uint64_t end = count * (i + 1) / first_keys.size();
      iterator_->Seek(ToSlice(first_keys[i]));
      for (std::uint64_t row = count * i / first_keys.size(); row < end; ++row) {
        Append(iterator_->key(), iterator_->value());
        if (row + 1 < end) iterator_->Next();
      }
    }
    return iterator_->status();
  }

 private:
  void Append(const rocksdb::Slice& key, const rocksdb::Slice& value) {
    rows_.append(key.data(), key.size()).append(value.data(), value.size());
  }

  rocksdb::DB& db_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
  rocksdb::PinnableSlice value_;
  std::string rows_;
};

// Returns random keys for each read of a round: the first key of each range, or the key of each row.
std::vector<std::vector<Key>> ChooseKeys(const BareReads& bare, std::mt19937_64* random) {
  std::vector<std::vector<Key>> keys;
  for (std::size_t call = 0; call < kCallsPerRound; ++call) {
    for (const BareRead& read : bare.reads) {
      std::vector<Key>& chosen = keys.emplace_back();
      const std::uint64_t first_rows = bare.row_count - (read.ranges > 0 ? read.rows : 1) + 1;
      for (std::uint64_t i = 0; i < (read.ranges > 0 ? read.ranges : read.rows); ++i) {
        chosen.push_back(KeyOf((*random)() % first_rows));
      }
    }
  }
  return keys;
}

// Does all reads kCallsPerRound times. Returns the seconds of one time.
Result<double> TimeRound(const BareReads& bare, const std::vector<std::vector<Key>>& keys,
                         BareReader* reader) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const BareRead& read = bare.reads[i % bare.reads.size()];
    const rocksdb::Status status =
        read.ranges > 0 ? reader->ReadRanges(keys[i], read.rows) : reader->ReadEach(keys[i]);
    if (!status.ok()) return engine::FromRocks(status, "reading");
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return took.count() / kCallsPerRound;
}

}  // namespace

Result<double> TimeBareReads(const BareReads& bare) {
  BareDatabase database;
  if (bare.directory.empty()) {
    database.env = rocksdb::NewCompositeEnv(engine::MemoryFiles::Create());
  }
  DOLMEN_RETURN_IF_ERROR(database.Open(bare));
  DOLMEN_RETURN_IF_ERROR(database.Load(bare));
  if (database.env == nullptr) {
    database.db.reset();
    DOLMEN_RETURN_IF_ERROR(database.Open(bare));
  }
  BareReader reader(*database.db);
  std::mt19937_64 random;
  std::vector<double> rounds;
  double seconds = 0;
  while (rounds.size() < kRoundsMin || seconds < kSecondsMin) {
    DOLMEN_ASSIGN_OR_RETURN(rounds.emplace_back(),
                            TimeRound(bare, ChooseKeys(bare, &random), &reader));
    seconds += rounds.back() * kCallsPerRound;
  }
  const auto middle = rounds.begin() + static_cast<std::ptrdiff_t>(rounds.size() / 2);
  std::nth_element(rounds.begin(), middle, rounds.end());
  return *middle;
}

}  // namespace dolmen::internal
