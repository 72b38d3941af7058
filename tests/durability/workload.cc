#include "tests/durability/workload.h"

#include <algorithm>
#include <set>
#include <vector>

#include "dolmen/update_builder.h"
#include "tests/support/random.h"

namespace dolmen::test {
namespace {

constexpr std::size_t kPartitions = 3;
constexpr std::size_t kItemsPerPartition = 8;
constexpr std::size_t kIndexPartitions = 2;
constexpr std::size_t kPaddingBytesMax = 700;  // large enough to fill files of 64 KB within a test

std::string Name(const char* prefix, std::size_t i) { return prefix + std::to_string(i); }

Status ReadPartition(const Table& table, const std::string& index, const std::string& partition,
                     Contents* contents) {
  QueryInput input{.index = index, .key_condition = Partition(partition), .limit = 5};
  do {
    const auto page = table.Query(input);
    if (!page.ok()) return page.status();
    for (const ItemView view : *page) {
      if (Status checked = view.Check(); !checked.ok()) return checked;
      Result<Item> item = view.Copy();
      if (!item.ok()) return item.status();
      const std::pair key(std::string(*view["PK"].AsString()), std::string(*view["SK"].AsString()));
      if (!contents->emplace(key, *std::move(item)).second) {
        return Status::Corruption("two items with one key in \"" + index +
                                  "\": " + view.ToString());
      }
    }
    input.exclusive_start_key = page->last_evaluated_key();
  } while (!input.exclusive_start_key.empty());
  return {};
}

}  // namespace

struct Workload::Write {
  enum class Kind { kPut, kUpdate, kDelete };
  Kind kind = Kind::kPut;
  Item key = {};
  Item rest = {};
};

CreateTableInput Workload::TableInput() {
  return {.name = "workload",
          .global_secondary_indexes = {{.name = "GSI1", .partition_key = {{.name = "GSI1PK"}}}}};
}

std::vector<Workload::Write> Workload::Writes(std::uint64_t number) const {
  Random random(seed_ * 1'000'003 + number);
  const std::size_t count = random.OneIn(3) ? 2 + random.Below(4) : 1;
  std::set<std::pair<std::size_t, std::size_t>> keys;
  while (keys.size() < count) {
    keys.emplace(random.Below(kPartitions), random.Below(kItemsPerPartition));
  }
  std::vector<Write> writes;
  for (const auto& [partition, item] : keys) {
    Write& write = writes.emplace_back();
    write.key = {{"PK", Name("p", partition)}, {"SK", Name("i", item)}};
    if (random.OneIn(5)) {
      write.kind = Write::Kind::kDelete;
      continue;
    }
    write.kind = random.OneIn(2) ? Write::Kind::kPut : Write::Kind::kUpdate;
    write.rest = {{"GSI1PK", Name("g", random.Below(kIndexPartitions))},
                  {"turn", number},
                  {"filler", std::string(random.Below(kPaddingBytesMax), 'x')}};
  }
  return writes;
}

Status Workload::Do(std::uint64_t number, Database& db, const Table& table) const {
  const auto put = [](const Write& write) {
    PutItemInput input{.item = write.key};
    for (const auto& [name, value] : write.rest) input.item.emplace(name, value);
    return input;
  };
  const auto update = [](const Write& write) {
    UpdateBuilder set = Update();
    for (const auto& [name, value] : write.rest) set = set.Set(name, value);
    return UpdateItemInput{.key = write.key, .update = set};
  };
  const std::vector<Write> writes = Writes(number);
  std::vector<TransactWriteItem> actions;
  for (const Write& write : writes) {
    const bool alone = writes.size() == 1;
    switch (write.kind) {
      case Write::Kind::kPut:
        if (alone) return table.PutItem(put(write)).status();
        actions.push_back({table, put(write)});
        break;
      case Write::Kind::kUpdate:
        if (alone) return table.UpdateItem(update(write)).status();
        actions.push_back({table, update(write)});
        break;
      case Write::Kind::kDelete:
        if (alone) return table.DeleteItem({.key = write.key}).status();
        actions.push_back({table, DeleteItemInput{.key = write.key}});
        break;
    }
  }
  return db.TransactWriteItems({.actions = actions}).status();
}

void Workload::Apply(std::uint64_t number, Contents* contents) const {
  for (const Write& write : Writes(number)) {
    const std::pair key(*write.key.at("PK").get_if<std::string>(),
                        *write.key.at("SK").get_if<std::string>());
    contents->erase(key);  // an update sets every attribute of the item
    if (write.kind == Write::Kind::kDelete) continue;
    Item item = write.key;
    for (const auto& [name, value] : write.rest) item.emplace(name, value);
    contents->emplace(key, std::move(item));
  }
}

Contents Workload::After(std::uint64_t number) const {
  Contents contents;
  for (std::uint64_t i = 1; i <= number; ++i) Apply(i, &contents);
  return contents;
}

Result<Contents> ReadAll(const Table& table) {
  Contents rows;
  for (std::size_t i = 0; i < kPartitions; ++i) {
    if (Status read = ReadPartition(table, "", Name("p", i), &rows); !read.ok()) return read;
  }
  Contents entries;
  for (std::size_t i = 0; i < kIndexPartitions; ++i) {
    if (Status read = ReadPartition(table, "GSI1", Name("g", i), &entries); !read.ok()) return read;
  }
  if (rows != entries) return Status::Corruption("the contents of the index and the table differ");
  for (const auto& [key, item] : rows) {
    const auto read = table.GetItem({.key = {{"PK", key.first}, {"SK", key.second}}});
    if (!read.ok()) return read.status();
    if (!read->item || *read->item->Copy() != item) {
      return Status::Corruption("GetItem and Query return different items");
    }
  }
  return rows;
}

}  // namespace dolmen::test
