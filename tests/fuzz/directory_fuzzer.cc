// Fuzzes the files of a database: repairs it, opens it for reading only and for writing, and reads
// everything. Only repairs it if the archive has the file kForged.
//
// Input: the files of a database directory, as directory_archive.h describes them.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/fuzz/directory_archive.h"
#include "tests/fuzz/directory_mutation.h"
#include "tests/fuzz/require.h"
#include "tests/support/temp_directory.h"

// A replay of the corpus is built without libFuzzer, which defines this function.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size,
                                                              std::size_t size_max);

namespace dolmen::fuzz {
namespace {

namespace fs = std::filesystem;

// The time of the database's clock. The databases of the corpus were written on this day.
constexpr std::chrono::seconds kNow{1'795'464'000};

// The result of opening and reading a database.
struct Outcome {
  bool is_open = false;
  bool is_clean = false;    // true if Verify has no finding
  std::string damage = {};  // the error of Open or Verify, or the first finding
  std::vector<std::pair<std::string, Item>> items = {};  // with the names of their tables
};

void RequireMessage(const Status& status,
                    std::source_location where = std::source_location::current()) {
  RequireShowable(status, status.code(), where);
}

OpenOptions OptionsFor(bool read_only) {
  return {.create_if_missing = false,
          .read_only = read_only,
          .clock = std::make_shared<ManualClock>(Timestamp(kNow)),
          .expiry_lag = std::nullopt,
          .cache_bytes = 1 << 20,
          .write_buffer_bytes = 64 << 10};
}

// A reader of everything in a database. If Verify has no finding, no read may fail.
class Reader {
 public:
  explicit Reader(Database database) : database_(std::move(database)) {}

  Outcome Read() {
    const Result<ListTablesOutput> tables = database_.ListTables();
    Require(tables.ok(), tables.status().ToString());
    for (const std::string& name : tables->table_names) {
      const Result<Table> table = database_.OpenTable(name);
      Require(table.ok(), table.status().ToString());
      RequireMessage(table->WaitForIndexes());
    }
    const Result<VerifyOutput> verified = database_.Verify();
    RequireMessage(verified.status());
    outcome_.is_open = true;
    outcome_.is_clean = verified.ok() && verified->finding_count == 0;
    if (!outcome_.is_clean) {
      outcome_.damage =
          verified.ok() ? verified->findings.front().message : verified.status().ToString();
    }
    for (const std::string& name : tables->table_names) ReadTable(name);
    ReadStreams();
    return std::move(outcome_);
  }

 private:
  void Check(const Status& status, std::source_location where = std::source_location::current()) {
    RequireMessage(status, where);
    Require(status.ok() || !outcome_.is_clean, status.ToString(), where);
  }

  void ReadTable(const std::string& name) {
    const Result<TableDescription> described = database_.DescribeTable(name);
    Check(described.status());
    const Table table = *database_.OpenTable(name);
    RequireMessage(database_.DescribeTimeToLive(name).status());
    if (!described.ok()) return;
    for (const Item& item : Scan(table, "")) {
      outcome_.items.emplace_back(name, item);
      GetItem(table, *described, item);
      Query(table, "", described->partition_key.name, item);
    }
    for (const auto& local : described->local_secondary_indexes) {
      for (const Item& item : Scan(table, local.index.name)) {
        Query(table, local.index.name, described->partition_key.name, item);
      }
    }
    for (const auto& global : described->global_secondary_indexes) {
      if (global.status != IndexStatus::kActive) continue;
      for (const Item& item : Scan(table, global.index.name)) {
        if (global.index.partition_key.size() != 1) continue;  // such a Query needs an expression
        Query(table, global.index.name, global.index.partition_key.front().name, item);
      }
    }
  }

  std::vector<Item> Scan(const Table& table, const std::string& index) {
    std::vector<Item> items;
    ItemRange range =
        table.ScanAll({.index = index, .limit = 3, .options = {.hide_expired = false}});
    for (const ItemView view : range) {
      Result<Item> item = view.Copy();
      Check(item.status());
      if (item.ok()) items.push_back(*std::move(item));
    }
    Check(range.status());
    return items;
  }

  void GetItem(const Table& table, const TableDescription& description, const Item& item) {
    Item key;
    for (const auto& attribute : {std::optional(description.partition_key), description.sort_key}) {
      const auto found = attribute ? item.find(attribute->name) : item.end();
      if (found != item.end()) key.insert(*found);
    }
    const Result<GetItemOutput> got =
        table.GetItem({.key = key, .options = {.hide_expired = false}});
    Check(got.status());
    if (outcome_.is_clean) {
      Require(got->item && *got->item->view().Copy() == item, "GetItem returns the item of a Scan");
    }
  }

  void Query(const Table& table, const std::string& index, const std::string& partition_key,
             const Item& item) {
    const auto key = item.find(partition_key);
    if (key == item.end()) return Require(!outcome_.is_clean, "an item has its key attributes");
    ItemRange range = table.QueryAll({.index = index,
                                      .key_condition = Partition(key->second),
                                      .forward = false,
                                      .options = {.hide_expired = false}});
    bool is_found = false;
    for (const ItemView view : range) {
      const Result<Item> read = view.Copy();
      Check(read.status());
      is_found = is_found || (read.ok() && *read == item);
    }
    Check(range.status());
    Require(is_found || !outcome_.is_clean, "Query returns the item of a Scan");
  }

  void ReadStreams() {
    const Result<ListStreamsOutput> streams = database_.ListStreams();
    Check(streams.status());
    if (!streams.ok()) return;
    for (const StreamSummary& stream : streams->streams) {
      const auto description = database_.DescribeStream({.stream_arn = stream.stream_arn});
      Check(description.status());
      if (!description.ok()) continue;
      for (const Shard& shard : description->shards) {
        const auto iterator = database_.GetShardIterator(
            {.stream_arn = stream.stream_arn, .shard_id = shard.shard_id});
        Check(iterator.status());
        if (iterator.ok()) Check(database_.GetRecords({.shard_iterator = *iterator}).status());
      }
    }
  }

  const Database database_;
  Outcome outcome_;
};

// Opens and reads the database.
Outcome Examine(const fs::path& directory, bool read_only) {
  Result<Database> database = Database::Open(directory, OptionsFor(read_only));
  RequireMessage(database.status());
  if (!database.ok()) return {.damage = database.status().ToString()};
  return Reader(*std::move(database)).Read();
}

// Repairs the database into another directory, and checks the new database.
void TryRepair(const fs::path& from, const fs::path& to, const Outcome& original) {
  const Result<RepairOutput> repaired = Repair(from, to);
  RequireMessage(repaired.status());
  Require(repaired.ok() || !original.is_clean, repaired.status().ToString());
  if (!repaired.ok()) return;
  for (const RepairLoss& loss : repaired->losses) {
    RequireMessage(Status::Corruption(loss.message));
  }
  const Outcome outcome = Examine(to, true);
  Require(outcome.is_clean, "a repaired database is intact: " + outcome.damage);
  Require(!original.is_clean || !repaired->losses.empty() || outcome.items == original.items,
          "a repair without losses keeps all items");
}

void Try(std::string_view input) {
  static const test::TempDirectory directory;
  const fs::path database = directory / "database";
  const fs::path repaired = directory / "repaired";
  fs::remove_all(database);
  fs::remove_all(repaired);
  fs::create_directory(database);
  const std::vector<ArchivedFile> files = ParseArchive(input);
  for (const ArchivedFile& file : files) {
    std::ofstream(database / file.name, std::ios::binary) << file.bytes;
  }
  if (IsForged(files)) return TryRepair(database, repaired, {});
  const Outcome read_only = Examine(database, true);
  TryRepair(database, repaired, read_only);
  const Outcome writable = Examine(database, false);
  if (!read_only.is_clean) return;
  Require(writable.is_open, "an intact database can be opened for writing: " + writable.damage);
  Require(!writable.is_clean || writable.items == read_only.items,
          "an open for writing keeps all items");
  const Outcome again = Examine(database, true);
  Require(again.is_open && (!again.is_clean || again.items == writable.items),
          "a database that was closed can be opened again");
}

std::string_view AsText(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Replaces the input by an archive of the files. Leaves the input if the archive is too large.
std::size_t Replace(const std::vector<ArchivedFile>& files, std::uint8_t* data, std::size_t size,
                    std::size_t size_max) {
  const std::string archive = FormatArchive(files);
  if (archive.size() > size_max) return size;
  std::memcpy(data, archive.data(), archive.size());
  return archive.size();
}

}  // namespace
}  // namespace dolmen::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dolmen::fuzz::Try(dolmen::fuzz::AsText(data, size));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_max, unsigned int seed) {
  using namespace dolmen::fuzz;
  std::vector<ArchivedFile> files = ParseArchive(AsText(data, size));
  if (files.empty()) return LLVMFuzzerMutate(data, size, size_max);
  std::mt19937 random(seed);
  MutateFiles(&files, LLVMFuzzerMutate, &random);
  return Replace(files, data, size, size_max);
}

// Replaces one file of the first input by a file of the second input.
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size,
                                                 const std::uint8_t* other, std::size_t other_size,
                                                 std::uint8_t* out, std::size_t size_max,
                                                 unsigned int seed) {
  using namespace dolmen::fuzz;
  std::vector<ArchivedFile> files = ParseArchive(AsText(one, one_size));
  const std::vector<ArchivedFile> others = ParseArchive(AsText(other, other_size));
  if (others.empty()) return 0;
  const ArchivedFile& chosen = others[std::mt19937(seed)() % others.size()];
  std::erase_if(files, [&](const ArchivedFile& file) { return file.name == chosen.name; });
  files.push_back(chosen);
  if (IsForged(others)) MarkAsForged(&files);
  return Replace(files, out, 0, size_max);
}
