#include "tests/durability/pair_database.h"

#include <gmock/gmock.h>

#include <array>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/read/query.h"
#include "engine/read/read_context.h"
#include "engine/storage/files/directory.h"
#include "engine/write/atomic_write.h"
#include "engine/write/prepare.h"
#include "tests/support/encrypted_run.h"
#include "tests/support/status_matchers.h"
#include "tests/support/stream_records.h"

namespace dolmen::engine {
namespace {

using test::IsOk;

PutItemInput PutOf(const std::string& sort_key, std::int64_t number, std::size_t bytes) {
  return {.item = {{"PK", "p"},
                   {"SK", sort_key},
                   {"GSI1PK", "all"},
                   {"GSI1SK", sort_key},
                   {"i", number},
                   {"filler", std::string(bytes, 'x')}}};
}

DeleteItemInput DeleteOf(const std::string& sort_key) {
  return {.key = {{"PK", "p"}, {"SK", sort_key}}};
}

}  // namespace

Status PairDatabase::Open(const std::filesystem::path& directory,
                          std::shared_ptr<rocksdb::FileSystem> file_system,
                          const OpenOptions& options) {
  const auto key = test::KeyInThisRun(directory, options.encryption_key);
  DOLMEN_RETURN_IF_ERROR(PrepareDirectory(directory, true, key));
  StoreOptions store = Engine::StoreOptionsFor(directory, options);
  store.encryption_key = key;
  store.file_system = std::move(file_system);
  DOLMEN_ASSIGN_OR_RETURN(engine_, Engine::OpenStore(store, options));
  Result<LiveTableRef> table = engine_->catalog().Find("table");
  if (!table.ok()) {
    CreateTableInput input{.name = "table",
                           .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}};
    if (has_stream_) input.stream_specification = {{.view_type = StreamViewType::kNewImage}};
    table = engine_->catalog().Create(input);
  }
  if (!table.ok()) return table.status();
  table_ = *std::move(table);
  return {};
}

void PairDatabase::Close() {
  table_ = nullptr;
  engine_ = nullptr;
}

template <typename Input>
Status PairDatabase::Do(const std::array<Input, 2>& inputs) const {
  std::array<WriteAction, 2> actions;
  std::array<const WriteAction*, 2> pointers{};
  for (std::size_t k = 0; k < 2; ++k) {
    DOLMEN_RETURN_IF_ERROR(Prepare(*table_->schema(), inputs[k], &actions[k]));
    pointers[k] = &actions[k];
  }
  std::array<ActionOutcome, 2> outcomes;
  return WriteAtomically(engine_->write_context(), pointers, outcomes).status();
}

Status PairDatabase::Write(std::int64_t number, std::size_t bytes) const {
  return Do(std::array{PutOf("a" + std::to_string(number % 5), number, bytes),
                       PutOf("b" + std::to_string(number % 5), number, bytes)});
}

Status PairDatabase::Delete(std::int64_t number) const {
  return Do(std::array{DeleteOf("a" + std::to_string(number % 5)),
                       DeleteOf("b" + std::to_string(number % 5))});
}

PairDatabase::Contents PairDatabase::Read(const std::string& index) const {
  QueryOutput page;
  const QueryInput input{.index = index, .key_condition = Partition(index.empty() ? "p" : "all")};
  EXPECT_THAT(Query(engine_->read_context(), *table_->schema(), input, &page), IsOk());
  Contents contents;
  for (const ItemView item : page) {
    EXPECT_THAT(item.Check(), IsOk());
    contents.emplace(*item["SK"].AsString(), item["i"].AsInt64().value_or(-1));
  }
  return contents;
}

PairDatabase::Contents PairDatabase::ReadStream() const {
  const auto records = test::ReadStream(Database(engine_), "table");
  EXPECT_THAT(records, IsOk());
  Contents contents;
  if (!records.ok()) return contents;
  for (const StreamRecord& record : *records) {
    const ItemView item = record.new_image->view();
    contents.insert_or_assign(std::string(*item["SK"].AsString()),
                              item["i"].AsInt64().value_or(-1));
  }
  return contents;
}

void PairDatabase::Apply(std::int64_t number, Contents* contents) {
  (*contents)["a" + std::to_string(number % 5)] = number;
  (*contents)["b" + std::to_string(number % 5)] = number;
}

void PairDatabase::ApplyDelete(std::int64_t number, Contents* contents) {
  contents->erase("a" + std::to_string(number % 5));
  contents->erase("b" + std::to_string(number % 5));
}

}  // namespace dolmen::engine
