// Operations that create, change, describe and delete tables and indexes.

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "tests/model/random_schema.h"
#include "tests/model/twin_tables.h"
#include "tests/support/open_on_disk.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

constexpr std::size_t kCrowd = 600;

std::string TableName(std::size_t number) { return "table-" + std::to_string(number); }

template <typename Index>
std::vector<Index> ByName(std::vector<Index> indexes) {
  std::sort(indexes.begin(), indexes.end(),
            [](const Index& a, const Index& b) { return a.name < b.name; });
  return indexes;
}

}  // namespace

void TwinTables::Open() {
  OpenOptions options;
  options.durability = crashes_ ? Durability::kSync : Durability::kBuffered;
  options.write_buffer_bytes = 256 << 10;  // small, so that data reaches files and compaction
  options.clock = clock_;
  // No row cache, one that evicts entries all the time, or the usual one.
  options.row_cache_bytes = random_.Pick<std::size_t>({0, 100'000, OpenOptions().row_cache_bytes});
  disk_ = crashes_ ? std::make_shared<VolatileDisk>() : nullptr;
  if (faults_) options.simulate = Simulate({.hash_order = true});
  auto db = faults_ ? Database::Open(path_, options) : OpenOnDisk(path_, disk_, options);
  ASSERT_THAT(db, IsOk());
  db_.emplace(*std::move(db));
  if (faults_) simulation_.emplace(Value(Simulation::Of(*db_)));
}

void TwinTables::Create() {
  Open();
  if (testing::Test::HasFatalFailure()) return;
  for (std::size_t number = 0; number < kTables; ++number) CreateTable(number);
}

void TwinTables::CreateTable(std::size_t number) {
  model_.Create(number, RandomTable(TableName(number), &random_));
  Slot& slot = slots_.at(number);
  slot = {};
  auto table = db_->CreateTable(description(number));
  ASSERT_THAT(table, IsOk());
  slot.table.emplace(*std::move(table));
  EXPECT_THAT(db_->CreateTable(description(number)),
              StatusIs(StatusCode::kResourceInUse, testing::_));
  ++counts_["table created"];
}

void TwinTables::Close() {
  for (Slot& slot : slots_) slot.table.reset();
  simulation_.reset();
  db_.reset();
}

void TwinTables::Reopen() {
  Close();
  OpenTables();
  ++counts_["reopened"];
}

void TwinTables::Crash() {
  disk_->CutPower();
  if (random_.OneIn(2)) ReadOnBrokenDisk();
  const std::size_t number = ++counts_["crash"];
  const std::filesystem::path remains = directory_ / std::to_string(number);
  if (random_.OneIn(2)) {
    std::filesystem::copy(path_, remains);
    ++counts_["crash: killed process"];
  } else {
    disk_->CopyRemains(path_, remains, &random_);
    ++counts_["crash: power cut"];
  }
  Close();
  std::filesystem::remove_all(path_);
  path_ = remains;
  OpenTables();
}

void TwinTables::ReadOnBrokenDisk() {
  const std::size_t number = Choose();
  const auto put = slots_.at(number).table->PutItem({.item = generator_.CrowdKey(0)});
  EXPECT_THAT(put, StatusIs(StatusCode::kStorage, testing::_));
  for (int i = 0; i < 5; ++i) {
    Get();
    Query();
  }
  ++counts_["crash: disk rejects changes first"];
}

void TwinTables::OpenTables() {
  Open();
  if (testing::Test::HasFatalFailure()) return;
  for (std::size_t number = 0; number < kTables; ++number) {
    auto table = db_->OpenTable(TableName(number));
    ASSERT_THAT(table, IsOk());
    slots_.at(number).table.emplace(*std::move(table));
  }
  const std::size_t before = counts_["described: index is being built"];
  for (std::size_t number = 0; number < kTables; ++number) CheckDescription(number);
  counts_["index being built after reopening"] +=
      counts_["described: index is being built"] - before;
}

void TwinTables::Describe() {
  CheckDescription(random_.Below(kTables));
  const auto tables = db_->ListTables();
  ASSERT_THAT(tables, IsOk());
  std::vector<std::string> names;
  for (std::size_t number = 0; number < kTables; ++number) names.push_back(TableName(number));
  EXPECT_EQ(tables->table_names, names);
  EXPECT_EQ(tables->last_evaluated_table_name, "");
}

void TwinTables::CheckDescription(std::size_t number) {
  const auto described = db_->DescribeTable(TableName(number));
  ASSERT_THAT(described, IsOk());
  const CreateTableInput& expected = description(number);
  EXPECT_EQ(described->name, expected.name);
  EXPECT_EQ(described->partition_key, expected.partition_key);
  EXPECT_EQ(described->sort_key, expected.sort_key);
  EXPECT_EQ(described->deletion_protection, expected.deletion_protection);
  std::vector<LocalSecondaryIndex> locals;
  for (const auto& local : described->local_secondary_indexes) locals.push_back(local.index);
  EXPECT_TRUE(ByName(locals) == ByName(expected.local_secondary_indexes));
  std::vector<GlobalSecondaryIndex> globals;
  Slot& slot = slots_.at(number);
  for (const auto& [index, status, backfill, content] : described->global_secondary_indexes) {
    globals.push_back(index);
    const bool is_made = status == IndexStatus::kActive;
    EXPECT_EQ(backfill.has_value(), !is_made) << index.name;
    if (index.name != slot.making) {
      EXPECT_TRUE(is_made) << index.name;
      continue;
    }
    EXPECT_TRUE(is_made || !slot.can_read_it) << index.name;
    if (!is_made) ++counts_["described: index is being built"];
    slot.can_read_it = slot.can_read_it || is_made;
  }
  EXPECT_TRUE(ByName(globals) == ByName(expected.global_secondary_indexes));
}

// Writes extra items. A backfill then takes longer, so more operations run during it.
void TwinTables::Crowd(std::size_t number) {
  Slot& slot = slots_.at(number);
  while (slot.crowd < kCrowd) {
    std::vector<Item> keys;
    for (std::size_t i = 0; i < 25; ++i) keys.push_back(generator_.CrowdKey(slot.crowd++));
    std::vector<TableWrite> writes;
    for (WriteOperation& write : generator_.BatchWrites(keys)) {
      writes.push_back({number, std::move(write)});
    }
    DoBatchWrite(writes);
  }
}

void TwinTables::ForgetTransactionsOn(std::size_t number) {
  std::erase_if(remembered_, [&](const TransactOperation& operation) {
    return std::any_of(operation.writes.begin(), operation.writes.end(),
                       [&](const TableWrite& write) { return write.table == number; });
  });
}

void TwinTables::CreateIndex(std::size_t number) {
  if (random_.OneIn(4)) Crowd(number);
  const GlobalSecondaryIndex index = RandomGlobalIndex(description(number), &random_);
  const auto updated = db_->UpdateTable({.name = TableName(number), .create_index = index});
  ASSERT_THAT(updated, IsOk());
  model(number).CreateIndex(index);
  Slot& slot = slots_.at(number);
  slot.making = index.name;
  slot.can_read_it = false;
  ForgetTransactionsOn(number);
  CheckDescription(number);
  ++counts_["index created"];
  if (random_.OneIn(5)) return Reopen();
  // Does up to 19 writes to the table. The backfill of the new index probably still runs meanwhile.
  for (std::size_t i = random_.Below(20); i > 0; --i) WriteTo(number);
}

// Tries to create a second index. UpdateTable refuses it while the backfill of another index runs.
void TwinTables::CreateAnother(std::size_t number) {
  if (!CanHaveMoreIndexes(description(number))) return;
  Slot& slot = slots_.at(number);
  const GlobalSecondaryIndex index = RandomGlobalIndex(description(number), &random_);
  const auto updated = db_->UpdateTable({.name = TableName(number), .create_index = index});
  if (!updated.ok()) {
    EXPECT_THAT(updated, StatusIs(StatusCode::kLimitExceeded, testing::_));
    EXPECT_FALSE(slot.can_read_it);
    ++counts_["index created while another is being built: refused"];
    return;
  }
  slot.can_read_it = true;
  EXPECT_THAT(db_->UpdateTable({.name = TableName(number), .delete_index = index.name}), IsOk());
}

void TwinTables::WaitForIndex(std::size_t number) {
  Slot& slot = slots_.at(number);
  ASSERT_THAT(slot.table->WaitForIndexes(), IsOk());
  const std::string index = std::exchange(slot.making, "");
  CheckDescription(number);
  CheckIndex(number, index);
}

void TwinTables::DeleteIndex(std::size_t number, std::string name) {
  Slot& slot = slots_.at(number);
  ASSERT_THAT(db_->UpdateTable({.name = TableName(number), .delete_index = name}), IsOk());
  model(number).DeleteIndex(name);
  if (slot.making == name) slot.making.clear();
  ForgetTransactionsOn(number);
  CheckDescription(number);
  EXPECT_THAT(slot.table->Scan({.index = name}), StatusIs(StatusCode::kValidation, testing::_));
  EXPECT_THAT(db_->UpdateTable({.name = TableName(number), .delete_index = name}),
              StatusIs(StatusCode::kResourceNotFound, testing::_));
  ++counts_["index deleted"];
}

void TwinTables::ChangeIndexes() {
  const std::size_t number = Choose();
  const Slot& slot = slots_.at(number);
  if (!slot.making.empty()) {
    if (random_.OneIn(5)) return DeleteIndex(number, slot.making);
    return random_.OneIn(5) ? CreateAnother(number) : WaitForIndex(number);
  }
  const auto& indexes = description(number).global_secondary_indexes;
  const bool create = CanHaveMoreIndexes(description(number)) && random_.OneIn(2);
  if (create || indexes.empty()) return CreateIndex(number);
  DeleteIndex(number, random_.Pick(indexes).name);
}

void TwinTables::DeleteTable(std::size_t number) {
  const std::string name = TableName(number);
  if (random_.OneIn(3)) {
    EXPECT_THAT(db_->UpdateTable({.name = name, .deletion_protection = true}), IsOk());
    EXPECT_THAT(db_->DeleteTable(name), StatusIs(StatusCode::kValidation, testing::_));
    CheckIndex(number, "");
    EXPECT_THAT(db_->UpdateTable({.name = name, .deletion_protection = false}), IsOk());
  }
  EXPECT_THAT(db_->DeleteTable(name), IsOk());
  EXPECT_THAT(db_->DeleteTable(name), StatusIs(StatusCode::kResourceNotFound, testing::_));
  EXPECT_THAT(db_->OpenTable(name), StatusIs(StatusCode::kResourceNotFound, testing::_));
  EXPECT_THAT(db_->DescribeTable(name), StatusIs(StatusCode::kResourceNotFound, testing::_));
}

void TwinTables::ReplaceTable() {
  const std::size_t number = Choose();
  const Item key = generator_.Key();
  DeleteTable(number);
  ForgetTransactionsOn(number);
  const Table old = *slots_.at(number).table;
  CreateTable(number);
  if (testing::Test::HasFatalFailure()) return;
  EXPECT_THAT(old.GetItem({.key = key}), StatusIs(StatusCode::kResourceNotFound, testing::_));
  EXPECT_THAT(old.PutItem({.item = key}), StatusIs(StatusCode::kResourceNotFound, testing::_));
  EXPECT_THAT(old.Scan({}), StatusIs(StatusCode::kResourceNotFound, testing::_));
  CheckDescription(number);
}

}  // namespace dolmen::test
