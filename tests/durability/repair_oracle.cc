#include "tests/durability/repair_oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "dolmen/repair.h"
#include "engine/engine.h"
#include "engine/repair/file_list.h"
#include "engine/repair/log_source.h"
#include "engine/repair/merged_source.h"
#include "engine/repair/table_source.h"
#include "engine/storage/cursor.h"
#include "engine/storage/encryption/encrypted_files.h"
#include "tests/support/encrypted_run.h"
#include "tests/support/value.h"

namespace dolmen::engine {
namespace {

namespace fs = std::filesystem;
using test::Value;

// Returns the contents of the files by their names. Leaves out a file that cannot be decrypted.
std::map<std::string, std::string> ReadFiles(rocksdb::FileSystem* system,
                                             const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(directory)) {
    std::string content;
    if (!rocksdb::ReadFileToString(system, entry.path(), &content).ok()) continue;
    files.emplace(entry.path().filename().string(), std::move(content));
  }
  return files;
}

std::shared_ptr<rocksdb::FileSystem> SystemOf(const fs::path& directory) {
  const std::optional<EncryptionKey> key = test::KeyInThisRun(directory);
  const auto system = rocksdb::FileSystem::Default();
  return key ? EncryptFiles(system, *key) : system;
}

OpenOptions ReadOnly() { return {.read_only = true, .expiry_lag = std::nullopt}; }

std::string PrefixOf(KeyspaceId keyspace) { return std::string(EncodedKey(keyspace).bytes()); }

}  // namespace

Result<Rows> ReadRows(const Store& store) {
  Rows rows;
  Cursor cursor(store, {EncodedKey(), EncodedKey(static_cast<KeyspaceId>(0xFFFFFFFF))});
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    rows.emplace(cursor.key(), cursor.value());
  }
  if (!cursor.status().ok()) return cursor.status();
  return rows;
}

Rows ReadAllRows(const fs::path& directory) {
  return Value(ReadRows(Value(test::OpenEngine(directory, ReadOnly()))->store()));
}

RepairOracle::RepairOracle(fs::path original)
    : original_(std::move(original)),
      system_(std::make_shared<RepairFiles>(SystemOf(original_), nullptr)),
      rows_(ReadAllRows(original_)),
      files_(ReadFiles(system_.get(), original_)) {
  FindPlacesInTables();
  FindPlacesInLogs();
  const auto engine = Value(test::OpenEngine(original_, ReadOnly()));
  for (const LiveTableRef& table : engine->catalog().Tables()) {
    std::set<KeyspaceId> copied = {table->schema()->keyspace};
    for (const StreamSchema& stream : table->schema()->streams) copied.insert(stream.keyspace);
    for (const KeyspaceId keyspace : copied) {
      descriptions_[PrefixOf(keyspace)] = PrefixOf(KeyspaceId::kCatalog) + table->name();
    }
  }
}

void RepairOracle::FindPlacesInTables() {
  const auto no_gap = [](const FileGap& gap) { ADD_FAILURE() << gap.reason; };
  for (const TableFileToRead& file :
       Value(FindDataFiles(system_.get(), original_, no_gap)).tables) {
    const auto table = TableSource::Open(system_.get(), file, no_gap);
    for (; table->current() != nullptr; table->Next()) {
      const Version& version = *table->current();
      const auto [known, is_new] = versions_.emplace(version.key, version.number);
      if (!is_new && known->second >= version.number) continue;
      known->second = version.number;
      places_[version.key] = {file.path.filename().string(), table->place().offset,
                              table->place().end()};
    }
  }
}

// Reads the logs from the last record to the first, so that the first record that is found for a
// key is the latest.
void RepairOracle::FindPlacesInLogs() {
  const auto no_gap = [](const FileGap& gap) { ADD_FAILURE() << gap.reason; };
  LogSource logs;
  logs.Read(system_.get(), original_, Value(FindDataFiles(system_.get(), original_, no_gap)),
            no_gap);
  std::map<std::uint64_t, const LogRecordPlace*> records;
  for (const LogRecordPlace& record : logs.records()) records[record.last_number] = &record;
  for (; logs.current() != nullptr; logs.Next()) {
    const Version& version = *logs.current();
    const auto [known, is_new] = versions_.emplace(version.key, version.number);
    if (!is_new && known->second >= version.number) continue;
    known->second = version.number;
    const LogRecordPlace& record = *records.lower_bound(version.number)->second;
    places_[version.key] = {record.file, record.begin, record.end};
  }
}

bool RepairOracle::IsIntact(const Place& place, const Files& files) const {
  const auto found = files.find(place.file);
  if (found == files.end() || found->second.size() < place.end) return false;
  const std::uint64_t size = place.end - place.begin;
  return found->second.compare(place.begin, size, files_.at(place.file), place.begin, size) == 0;
}

std::string RepairOracle::Repair(const fs::path& copy, const fs::path& to) const {
  rocksdb::FileSystem* const stored = rocksdb::FileSystem::Default().get();
  const Files before = ReadFiles(stored, copy);
  const Result<RepairOutput> output = dolmen::Repair(copy, to);
  if (!output.ok()) return "NO REPAIR: " + std::string(output.status().message());
  if (ReadFiles(stored, copy) != before) return "CHANGES THE DAMAGED DATABASE";
  std::vector<FileGap> gaps;
  const auto source = Value(
      MergedSource::Open(system_.get(), copy, [&](const FileGap& gap) { gaps.push_back(gap); }));
  while (source->current() != nullptr) source->Next();
  if (gaps.empty() && !output->losses.empty()) return "REPORTS A LOSS WITHOUT DAMAGE";
  const auto engine = test::OpenEngine(to, ReadOnly());
  if (!engine.ok()) return "CANNOT BE OPENED: " + std::string(engine.status().message());
  if (Value((*engine)->Verify({})).finding_count > 0) return "IS DAMAGED";
  return Compare(Value(ReadRows((*engine)->store())), ReadFiles(system_.get(), copy), gaps);
}

std::string RepairOracle::Compare(const Rows& repaired, const Files& damaged,
                                  const std::vector<FileGap>& gaps) const {
  const auto is_reported = [&](const std::string& key) {
    return std::ranges::any_of(gaps, [&](const FileGap& gap) {
      return gap.first <= key && (!gap.last || key <= *gap.last);
    });
  };
  std::string outcome = "whole";
  for (const auto& [prefix, description] : descriptions_) {
    const bool has_table = IsIntact(places_.at(description), damaged);
    const auto in_keyspace = [&](const auto& row) { return row->first.starts_with(prefix); };
    for (auto row = rows_.lower_bound(prefix); row != rows_.end() && in_keyspace(row); ++row) {
      const auto found = repaired.find(row->first);
      if (found != repaired.end() && found->second == row->second) continue;
      outcome = "partial";
      const Place& place = places_.at(row->first);
      if (!is_reported(has_table ? row->first : description)) return "SILENT LOSS in " + place.file;
      if (has_table && IsIntact(place, damaged)) {
        return "LOSES UNDAMAGED " + place.file + " at " + std::to_string(place.begin);
      }
    }
    for (auto row = repaired.lower_bound(prefix); row != repaired.end() && in_keyspace(row);
         ++row) {
      if (rows_.contains(row->first)) continue;
      outcome = "partial";
      if (!is_reported(row->first)) return "SILENTLY RESTORES a deleted item";
    }
  }
  return outcome;
}

}  // namespace dolmen::engine
