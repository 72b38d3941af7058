#include "tests/durability/damage_rig.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "dolmen/dolmen.h"
#include "engine/engine.h"
#include "engine/storage/files/directory.h"
#include "engine/write/atomic_write.h"
#include "tests/durability/held_back_tables.h"
#include "tests/support/encrypted_run.h"
#include "tests/support/items.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::engine {
namespace {

namespace fs = std::filesystem;
using test::IsOk;
using test::Random;
using test::Value;

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kRunBytesMax = 6000;
constexpr std::uint64_t kContentSeed = 7;  // the same database in each run

std::string ReadBytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void WriteBytes(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::vector<std::string> FileNames(const fs::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

// Writes a transaction with a token, and the position of a subscription.
void WriteTokenAndPosition(const fs::path& directory) {
  const Database db = Value(Database::Open(directory, {.expiry_lag = std::nullopt}));
  const Table things = Value(db.OpenTable("things"));
  Value(db.TransactWriteItems(
      {.actions = {{things, PutItemInput{.item = {{"PK", "p"}, {"SK", "transaction"}}}}},
       .client_request_token = "token"}));
  Subscription subscription = Value(things.Subscribe({.name = "reader", .in_background = false},
                                                     [](const StreamRecord&) { return Status(); }));
  Value(subscription.Deliver());
}

// A writer of the contents that the rig damages.
class ContentWriter {
 public:
  ContentWriter(fs::path directory, std::shared_ptr<HeldBackTables> disk)
      : directory_(std::move(directory)), disk_(std::move(disk)) {}

  void Open() {
    const auto key = test::KeyInThisRun(directory_);
    EXPECT_THAT(PrepareDirectory(directory_, true, key), IsOk());
    const OpenOptions options{.durability = Durability::kBuffered,
                              .expiry_lag = std::nullopt,
                              .write_buffer_bytes = 64 << 10};
    StoreOptions store = Engine::StoreOptionsFor(directory_, options);
    store.file_system = disk_;
    store.encryption_key = key;
    engine_ = Value(Engine::OpenStore(store, options));
  }
  void Close() { engine_ = nullptr; }
  Engine& engine() { return *engine_; }

  void CreateTables() {
    CreateTableInput things{.name = "things"};
    things.global_secondary_indexes = {{.name = "by_g", .partition_key = {{"g"}}}};
    things.local_secondary_indexes = {{.name = "by_n",
                                       .sort_key = {"n", AttributeType::kN},
                                       .projection = ProjectionType::kKeysOnly}};
    things.stream_specification =
        StreamSpecification{.view_type = StreamViewType::kNewAndOldImages};
    Value(engine_->catalog().Create(things));
    Value(engine_->UpdateTimeToLive(
        {.table_name = "things", .specification = {.attribute_name = "expires"}}));
    Value(engine_->catalog().Create(
        {.name = "numbers", .partition_key = {"id", AttributeType::kN}, .sort_key = std::nullopt}));
    Value(engine_->catalog().Create({.name = "blobs",
                                     .partition_key = {"id", AttributeType::kB},
                                     .sort_key = KeyAttribute{"at", AttributeType::kN}}));
    Value(engine_->catalog().Create({.name = "empty"}));
  }

  void WriteSome(int count) {
    for (int i = 0; i < count; ++i) WriteOne();
  }

 private:
  // Returns text that can be compressed to about a half.
  std::string Text(std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text.push_back(static_cast<char>('a' + random_.Below(20)));
    return text;
  }

  void Put(const char* table, Item item) {
    const PutItemInput input{.item = std::move(item)};
    ASSERT_THAT(WriteItem(engine_->write_context(), *Value(engine_->catalog().Find(table)), input),
                IsOk());
  }

  Item Thing(int number) {
    Item item = {{"PK", "p" + std::to_string(number % 7)}, {"SK", std::to_string(number)}};
    item.emplace("text", Text(random_.Below(300)));
    if (!random_.OneIn(4)) item.emplace("g", "g" + std::to_string(random_.Below(5)));
    if (!random_.OneIn(4)) item.emplace("n", static_cast<int>(random_.Below(1000)));
    if (random_.OneIn(5)) item.emplace("expires", 4'000'000'000);
    return item;
  }

  void WriteOne() {
    const int number = static_cast<int>(random_.Below(900));
    if (random_.OneIn(6)) {
      const DeleteItemInput input{
          .key = {{"PK", "p" + std::to_string(number % 7)}, {"SK", std::to_string(number)}}};
      ASSERT_THAT(
          WriteItem(engine_->write_context(), *Value(engine_->catalog().Find("things")), input),
          IsOk());
    } else if (random_.OneIn(3)) {
      Put("numbers", {{"id", number - 150}, {"text", Text(random_.Below(200))}});
    } else if (random_.OneIn(3)) {
      Put("blobs", {{"id", test::B(Text(2))}, {"at", number}, {"text", Text(random_.Below(900))}});
    } else {
      Put("things", Thing(number));
    }
  }

  const fs::path directory_;
  const std::shared_ptr<HeldBackTables> disk_;
  std::shared_ptr<Engine> engine_;
  Random random_{kContentSeed};
};

// Sets a run of bytes. Returns false if no byte changes.
template <typename ByteOf>
bool SetRun(std::string* bytes, std::size_t begin, std::size_t length, ByteOf byte_of) {
  const std::string before = *bytes;
  const std::size_t end = std::min(bytes->size(), begin + length);
  for (std::size_t at = begin; at < end; ++at) (*bytes)[at] = byte_of();
  return *bytes != before;
}

// Changes the bytes of one file. Returns false if no byte changes.
bool ChangeBytes(DamageKind kind, std::string* bytes, std::string* text, Random* random) {
  const std::size_t at = random->Below(std::max<std::size_t>(bytes->size(), 1));
  const std::size_t length = 1 + random->Below(random->OneIn(2) ? 16 : kRunBytesMax);
  const auto zero = [] { return '\0'; };
  const auto any = [&] { return static_cast<char>(random->Next()); };
  *text += " at " + std::to_string(at) + " of " + std::to_string(bytes->size());
  switch (kind) {
    case DamageKind::kFlip:
      if (bytes->empty()) return false;
      (*bytes)[at] = static_cast<char>((*bytes)[at] ^ (1 << random->Below(8)));
      return true;
    case DamageKind::kZeros:
      return SetRun(bytes, at, length, zero);
    case DamageKind::kGarbage:
      return SetRun(bytes, at, length, any);
    case DamageKind::kHole:
      return SetRun(bytes, at - at % kPageBytes, kPageBytes, zero);
    case DamageKind::kTruncate:
      if (bytes->empty()) return false;
      bytes->resize(at);
      return true;
    default:  // kExtend
      bytes->resize(bytes->size() + length);
      if (random->OneIn(2)) SetRun(bytes, bytes->size() - length, length, any);
      return true;
  }
}

// Returns the bytes of a file of the kind in the older directory.
std::string OlderBytes(const DamagedDatabase& database, const std::string& file_kind) {
  for (const std::string& name : FileNames(database.older())) {
    if (FileKind(name) == file_kind) return ReadBytes(database.older() / name);
  }
  return {};
}

// Does one piece of damage to a file. Returns false if nothing changes.
bool DamageFile(const DamagedDatabase& database, const fs::path& copy,
                const std::vector<std::string>& names, Damage* damage, Random* random) {
  const std::string& name = damage->files.front();
  const std::string other = random->Pick(names);
  std::string bytes = ReadBytes(copy / name);
  damage->text = std::string(kDamageNames[static_cast<std::size_t>(damage->kind)]) + " " + name;
  switch (damage->kind) {
    case DamageKind::kMissing:
      fs::remove(copy / name);
      if (random->OneIn(2) || other == name) return true;
      fs::remove(copy / other);
      break;
    case DamageKind::kSwap: {
      const std::string of_other = ReadBytes(copy / other);
      if (of_other == bytes) return false;
      WriteBytes(copy / name, of_other);
      WriteBytes(copy / other, bytes);
      break;
    }
    case DamageKind::kOlder: {
      const std::string old = OlderBytes(database, damage->file_kind);
      WriteBytes(copy / name, old);
      return old != bytes;
    }
    default: {
      const bool changed = ChangeBytes(damage->kind, &bytes, &damage->text, random);
      WriteBytes(copy / name, bytes);
      return changed;
    }
  }
  damage->text += " and " + other;
  damage->files.push_back(other);
  return true;
}

}  // namespace

std::string FileKind(const std::string& name) {
  if (name.ends_with(".sst")) return "table";
  if (name.ends_with(".log")) return "log";
  return name.substr(0, name.find('-'));
}

void DamagedDatabase::Create(const fs::path& root) {
  const DamagedDatabase database{root};
  const auto disk = std::make_shared<HeldBackTables>();
  ContentWriter writer(database.original(), disk);
  writer.Open();
  writer.CreateTables();
  writer.WriteSome(2500);
  EXPECT_THAT(writer.engine().store().Compact(), IsOk());
  writer.WriteSome(60);
  writer.Close();
  CopyDirectory(database.original(), database.older());
  writer.Open();
  writer.WriteSome(120);
  writer.Close();
  WriteTokenAndPosition(database.original());
  writer.Open();
  disk->HoldBack();
  const auto logs = [&] {
    return std::ranges::count_if(FileNames(database.original()),
                                 [](const auto& name) { return FileKind(name) == "log"; });
  };
  while (logs() < 2) writer.WriteSome(1);
  writer.WriteSome(30);
  disk->Refuse();
  writer.Close();
}

Damage DamageRandomly(const DamagedDatabase& database, const fs::path& copy,
                      const std::string& file_kind, Random* random) {
  const std::vector<std::string> names = FileNames(copy);
  std::map<std::string, std::vector<std::string>> by_kind;
  for (const std::string& name : names) by_kind[FileKind(name)].push_back(name);
  for (;;) {
    const auto kind =
        file_kind.empty()
            ? std::next(by_kind.begin(), static_cast<std::ptrdiff_t>(random->Below(by_kind.size())))
            : by_kind.find(file_kind);
    Damage damage{.kind = static_cast<DamageKind>(random->Below(kDamageNames.size())),
                  .file_kind = kind->first,
                  .files = {random->Pick(kind->second)}};
    if (DamageFile(database, copy, names, &damage, random)) return damage;
  }
}

void CopyDirectory(const fs::path& from, const fs::path& to) {
  fs::remove_all(to);
  fs::copy(from, to, fs::copy_options::recursive);
}

}  // namespace dolmen::engine
