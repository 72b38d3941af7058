#include "tests/durability/every_write.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "dolmen/update_builder.h"
#include "engine/base/status_macros.h"
#include "engine/engine.h"
#include "engine/storage/files/process_limits.h"
#include "tests/support/stream_records.h"

namespace dolmen::test {
namespace {

using std::chrono::seconds;
using StepKind = WriteStep::Kind;

constexpr const char* kTable = "things";
constexpr const char* kImported = "imported";
constexpr int kImportedItems = 40;
constexpr std::int64_t kExpiry = kWorkloadBegin + 3600;  // the time at which some items expire
constexpr std::size_t kFillerBytes = 2'500;              // a few items fill a write buffer

Item KeyAt(int number) {
  return {{"PK", "p" + std::to_string(number % 3)}, {"SK", "s" + std::to_string(number)}};
}

Contents::key_type NameOf(const Item& item) {
  return {*item.at("PK").get_if<std::string>(), *item.at("SK").get_if<std::string>()};
}

// Returns version `version` of item `number`. The versions are in different index partitions.
Item VersionOf(int number, int version) {
  Item item = KeyAt(number);
  item.emplace("GSI1PK", "g" + std::to_string((number + version) % 2));
  item.emplace("GSI1SK", "v" + std::to_string(version));
  item.emplace("colour", "c" + std::to_string((number * version) % 4));
  item.emplace("filler", std::string(kFillerBytes, static_cast<char>('a' + version)));
  return item;
}

Item Expiring(int number) {
  Item item = VersionOf(number, 9);
  item.emplace("expires", kExpiry + number);
  return item;
}

PutItemInput Put(int number, int version) { return {.item = VersionOf(number, version)}; }

// Returns an update that sets every attribute, so that its result does not depend on earlier steps.
UpdateItemInput UpdateTo(int number, int version) {
  UpdateBuilder set = Update();
  const Item key = KeyAt(number);
  for (const auto& [name, value] : VersionOf(number, version)) {
    if (!key.contains(name)) set = set.Set(name, value);
  }
  return {.key = key, .update = set};
}

Change To(const Item& item) { return {{NameOf(item), item}}; }
Change Without(int number) { return {{NameOf(KeyAt(number)), std::nullopt}}; }

Change Together(std::vector<Change> parts) {
  Change all;
  for (Change& part : parts) all.merge(part);
  return all;
}

Status Open(WriteSession& session) {
  OpenOptions options;
  options.clock = session.clock;
  options.expiry_lag = std::nullopt;
  options.write_buffer_bytes = 64 << 10;
  DOLMEN_ASSIGN_OR_RETURN(Database db, session.open(options));
  session.db.emplace(std::move(db));
  if (Result<Table> table = session.db->OpenTable(kTable); table.ok()) {
    session.table.emplace(*std::move(table));
  }
  return {};
}

Status Close(WriteSession& session) {
  session.table.reset();
  session.db.reset();
  return {};
}

Status CreateTable(WriteSession& session) {
  CreateTableInput input{.name = kTable,
                         .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}};
  input.stream_specification = {{.view_type = StreamViewType::kNewAndOldImages}};
  DOLMEN_ASSIGN_OR_RETURN(Table table, session.db->CreateTable(input));
  session.table.emplace(std::move(table));
  return {};
}

Status CreateIndex(WriteSession& session) {
  const GlobalSecondaryIndex index{.name = "by_colour", .partition_key = {{"colour"}}};
  DOLMEN_RETURN_IF_ERROR(session.db->UpdateTable({.name = kTable, .create_index = index}).status());
  DOLMEN_RETURN_IF_ERROR(session.table->PutItem(Put(40, 1)).status());
  return session.table->WaitForIndexes();
}

Status EnableExpiry(WriteSession& session) {
  DOLMEN_RETURN_IF_ERROR(
      session.db
          ->UpdateTimeToLive({.table_name = kTable, .specification = {.attribute_name = "expires"}})
          .status());
  return session.table->WaitForIndexes();
}

Status Batch(WriteSession& session) {
  WriteRequests requests{.table = *session.table, .requests = {}};
  for (int number = 20; number < 28; ++number) {
    requests.requests.emplace_back(PutRequest{.item = VersionOf(number, 2)});
  }
  requests.requests.emplace_back(DeleteRequest{.key = KeyAt(3)});
  return session.db->BatchWriteItem({.requests = {requests}}).status();
}

Status Transact(WriteSession& session) {
  const Table& table = *session.table;
  return session.db
      ->TransactWriteItems({.actions = {{table, Put(30, 1)},
                                        {table, UpdateTo(21, 3)},
                                        {table, DeleteItemInput{.key = KeyAt(4)}}},
                            .client_request_token = "token"})
      .status();
}

// Returns the item that the import reads as number `number`. Later items replace earlier ones.
Item ImportedItem(int number) {
  return VersionOf(number % kImportedItems, number / kImportedItems);
}

Status Import(WriteSession& session) {
  int number = 0;
  const auto next = [&](Item* item) -> Result<bool> {
    if (number == 2 * kImportedItems) return false;
    *item = ImportedItem(number++);
    return true;
  };
  return session.db
      ->ImportTable(
          {.table = {.name = kImported,
                     .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}},
           .next_item = next})
      .status();
}

Status Compact(WriteSession& session) {
  return static_cast<engine::Engine*>(session.db->backend().get())->store().Compact();
}

Status BackUp(WriteSession& session) {
  if (session.backup_directory.empty()) return {};
  DOLMEN_RETURN_IF_ERROR(RemoveDirectory(session.backup_directory));
  return session.db->Backup(session.backup_directory).status();
}

Status SweepLater(WriteSession& session) {
  session.clock->Set(Timestamp(seconds(kExpiry + 600)));
  return session.table->ExpireNow(100).status();
}

// Adds a step whose changes happen together.
void AddWrite(std::vector<WriteStep>* steps, std::string name,
              std::function<Status(WriteSession&)> run, Change change) {
  steps->push_back({std::move(name), StepKind::kWrite, std::move(run), {std::move(change)}});
}

void AddPut(std::vector<WriteStep>* steps, const Item& item) {
  const auto put = [item](WriteSession& session) {
    return session.table->PutItem({.item = item}).status();
  };
  AddWrite(steps, "put " + NameOf(item).second, put, To(item));
}

void AddUpdate(std::vector<WriteStep>* steps, int number, int version) {
  const auto update = [number, version](WriteSession& session) {
    return session.table->UpdateItem(UpdateTo(number, version)).status();
  };
  AddWrite(steps, "update " + std::to_string(number), update, To(VersionOf(number, version)));
}

void AddRead(std::vector<WriteStep>* steps, const std::string& index) {
  steps->push_back({"read " + index, StepKind::kRead, [index](WriteSession& session) {
                      return TryReadContents(*session.table, index).status();
                    }});
}

std::vector<WriteStep> MakeSteps() {
  std::vector<WriteStep> steps = {{"open", StepKind::kOpen, Open},
                                  {"create the table", StepKind::kCreateTable, CreateTable}};
  for (int number = 0; number < 8; ++number) AddPut(&steps, VersionOf(number, 1));
  for (int number = 0; number < 4; ++number) AddUpdate(&steps, number, 2);
  const auto remove = [](WriteSession& session) {
    return session.table->DeleteItem({.key = KeyAt(5)}).status();
  };
  AddWrite(&steps, "delete", remove, Without(5));
  std::vector<Change> batch = {Without(3)};
  for (int number = 20; number < 28; ++number) batch.push_back(To(VersionOf(number, 2)));
  AddWrite(&steps, "batch", Batch, Together(batch));
  steps.push_back(
      {"create the index", StepKind::kCreateIndex, CreateIndex, {To(VersionOf(40, 1))}});
  AddRead(&steps, "by_colour");
  steps.push_back({"compact", StepKind::kRead, Compact});
  steps.push_back({"import a table", StepKind::kImport, Import});
  steps.push_back({"back up", StepKind::kRead, BackUp});
  steps.push_back({"enable time to live", StepKind::kExpiry, EnableExpiry});
  for (int number = 50; number < 54; ++number) AddPut(&steps, Expiring(number));
  steps.push_back({"close", StepKind::kClose, Close});
  steps.push_back({"open again", StepKind::kOpen, Open});
  AddRead(&steps, "");
  AddWrite(&steps, "transaction", Transact,
           Together({To(VersionOf(30, 1)), To(VersionOf(21, 3)), Without(4)}));
  std::vector<Change> expired;
  for (int number = 50; number < 54; ++number) expired.push_back(Without(number));
  steps.push_back({"sweep", StepKind::kSweep, SweepLater, expired});
  for (int number = 60; number < 66; ++number) AddPut(&steps, VersionOf(number, 4));
  AddRead(&steps, "GSI1");
  steps.push_back({"close again", StepKind::kClose, Close});
  return steps;
}

std::string ToText(const Contents::key_type& key) { return key.first + "/" + key.second; }

std::optional<Item> Find(const Contents& contents, const Contents::key_type& key) {
  const auto found = contents.find(key);
  return found == contents.end() ? std::nullopt : std::optional(found->second);
}

void Apply(const Change& change, Contents* contents) {
  for (const auto& [key, item] : change) {
    contents->erase(key);
    if (item) contents->emplace(key, *item);
  }
}

// Applies the records of the stream to an empty table. Checks the old image of each record.
Result<Contents> Replay(const std::vector<StreamRecord>& records) {
  Contents contents;
  for (const StreamRecord& record : records) {
    DOLMEN_ASSIGN_OR_RETURN(const Item keys, record.keys.Copy());
    const Contents::key_type key = NameOf(keys);
    std::optional<Item> old;
    if (record.old_image) old = *record.old_image->Copy();
    if (Find(contents, key) != old) {
      return Status::Corruption("the stream has a wrong old image of " + ToText(key));
    }
    contents.erase(key);
    if (record.new_image) contents.emplace(key, *record.new_image->Copy());
  }
  return contents;
}

}  // namespace

Status RemoveDirectory(const std::string& directory) {
  std::error_code failure;
  std::filesystem::remove_all(directory, failure);
  return failure ? Status::Storage(directory + ": " + engine::ErrorText(failure.value()))
                 : Status();
}

const std::vector<WriteStep>& EveryWrite() {
  static const std::vector<WriteStep> kSteps = MakeSteps();
  return kSteps;
}

void RunEveryWrite(WriteSession* session,
                   const std::function<void(const WriteStep&, const Status* outcome)>& on_step) {
  for (const WriteStep& step : EveryWrite()) {
    const bool can_run = step.kind == StepKind::kOpen || step.kind == StepKind::kClose ||
                         session->table || (session->db && step.kind == StepKind::kCreateTable);
    if (!can_run) continue;
    on_step(step, nullptr);
    const Status outcome = step.run(*session);
    on_step(step, &outcome);
  }
}

void ExpectedState::Acknowledge(const WriteStep& step) {
  has_table_ = has_table_ || step.kind == StepKind::kCreateTable;
  has_index_ = has_index_ || step.kind == StepKind::kCreateIndex;
  has_expiry_ = has_expiry_ || step.kind == StepKind::kExpiry;
  has_imported_ = has_imported_ || step.kind == StepKind::kImport;
  if (step.kind == StepKind::kOpen) doubts_ = WithAllVisible(doubts_);
  for (const Change& change : step.changes) {
    Apply(change, &contents_);
    for (Doubt& doubt : doubts_) {
      for (const auto& [key, item] : change) doubt.change.erase(key);
    }
  }
}

void ExpectedState::Fail(const WriteStep& step) {
  const bool may_be_visible = step.kind == StepKind::kSweep || step.kind == StepKind::kCreateIndex;
  for (const Change& change : step.changes) doubts_.push_back({change, may_be_visible});
}

std::vector<ExpectedState::Doubt> ExpectedState::WithAllVisible(std::vector<Doubt> doubts) {
  for (Doubt& doubt : doubts) doubt.may_be_visible = true;
  return doubts;
}

Status ExpectedState::Compare(const Contents& found, const std::vector<Doubt>& doubts) const {
  Contents expected = contents_;
  for (const auto& [change, may_be_visible] : doubts) {
    const auto is_visible = [&](const auto& part) {
      return Find(found, part.first) == part.second;
    };
    if (may_be_visible && std::ranges::all_of(change, is_visible)) Apply(change, &expected);
  }
  for (const auto& [key, item] : expected) {
    if (Find(found, key) != item) {
      return Status::Corruption(ToText(key) + (found.contains(key) ? " is wrong" : " is missing"));
    }
  }
  for (const auto& [key, item] : found) {
    if (!expected.contains(key)) return Status::Corruption(ToText(key) + " must not be there");
  }
  return {};
}

Status ExpectedState::CheckImported(const Database& db) const {
  const auto table = db.OpenTable(kImported);
  if (table.ok()) {
    Contents expected;
    for (int number = kImportedItems; number < 2 * kImportedItems; ++number) {
      const Item item = ImportedItem(number);
      expected.emplace(NameOf(item), item);
    }
    for (const char* index : {"", "GSI1"}) {
      DOLMEN_ASSIGN_OR_RETURN(const Contents found, TryReadContents(*table, index));
      if (found != expected) return Status::Corruption("the imported table differs");
    }
  } else if (has_imported_ || table.status().code() != StatusCode::kResourceNotFound) {
    return table.status();
  }
  const auto later = db.CreateTable(
      {.name = "later", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}});
  if (later.status().code() == StatusCode::kResourceInUse) return {};  // it was checked before
  DOLMEN_RETURN_IF_ERROR(later.status());
  for (const char* index : {"", "GSI1"}) {
    DOLMEN_ASSIGN_OR_RETURN(const Contents found, TryReadContents(*later, index));
    if (!found.empty()) return Status::Corruption("a new table is not empty");
  }
  return {};
}

Status ExpectedState::Check(const Database& db) const {
  DOLMEN_RETURN_IF_ERROR(CheckImported(db));
  const auto table = db.OpenTable(kTable);
  if (table.ok()) return CheckTable(db, *table);
  if (has_table_ || table.status().code() != StatusCode::kResourceNotFound) return table.status();
  return {};
}

Status ExpectedState::CheckTable(const Database& db, const Table& table) const {
  DOLMEN_RETURN_IF_ERROR(table.WaitForIndexes());
  DOLMEN_ASSIGN_OR_RETURN(const VerifyOutput verified, db.Verify());
  if (verified.finding_count > 0) return Status::Corruption(verified.findings[0].message);
  if (!verified.unfinished_indexes.empty()) return Status::Corruption("an index is unfinished");
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription description, db.DescribeTable(kTable));
  if (has_index_ && description.global_secondary_indexes.size() != 2) {
    return Status::Corruption("the index by_colour is missing");
  }
  DOLMEN_ASSIGN_OR_RETURN(const TimeToLiveDescription expiry, db.DescribeTimeToLive(kTable));
  if (has_expiry_ && expiry.status != TimeToLiveStatus::kEnabled) {
    return Status::Corruption("time to live is not enabled");
  }
  DOLMEN_ASSIGN_OR_RETURN(const Contents found, TryReadContents(table, ""));
  for (const auto& index : description.global_secondary_indexes) {
    DOLMEN_ASSIGN_OR_RETURN(const Contents entries, TryReadContents(table, index.index.name));
    if (entries != found) return Status::Corruption("an index differs: " + index.index.name);
  }
  DOLMEN_ASSIGN_OR_RETURN(const auto records, ReadStream(db, kTable));
  DOLMEN_ASSIGN_OR_RETURN(const Contents replayed, Replay(records));
  if (replayed != found) return Status::Corruption("the stream leads to other items");
  DOLMEN_RETURN_IF_ERROR(table.PutItem({.item = VersionOf(99, 1)}).status());
  return Compare(found, WithAllVisible(doubts_));
}

}  // namespace dolmen::test
