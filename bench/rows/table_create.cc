// table_create creates and deletes a table in memory, as a test does for each test case. The table
// has one index. The table is empty or holds ten items, which are also in the index.

#include <string>
#include <string_view>

#include "bench/contender.h"
#include "dolmen/database.h"

namespace dolmen::bench::table_create {
namespace {

constexpr int kItems = 10;

CreateTableInput Input() {
  return {.name = "app", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}};
}

Status PutItems(const Table& table) {
  for (int i = 0; i < kItems; ++i) {
    const std::string number = std::to_string(i);
    const Status put =
        table.PutItem({.item = {{"PK", "p"}, {"SK", number}, {"GSI1PK", "g"}, {"GSI1SK", number}}})
            .status();
    if (!put.ok()) return put;
  }
  return {};
}

// Checks that a new table is empty, although an earlier table had the same name.
Status CheckEmpty(const Table& table) {
  for (const std::string index : {"", "GSI1"}) {
    const auto page = table.Scan({.index = index});
    if (!page.ok()) return page.status();
    if (page->count() > 0) return Status::Corruption("a new table is not empty");
  }
  return {};
}

template <bool kWithItems>
class TableCreate : public Contender {
 public:
  std::string name() const override {
    return kWithItems ? "table_create/dolmen_with_items" : "table_create/dolmen";
  }

  Status Prepare(Stores&) override {
    const Result<Database> database = Database::InMemory();
    if (!database.ok()) return database.status();
    constexpr int kTablesChecked = 100;
    for (int i = 0; i < kTablesChecked; ++i) {
      const Result<Table> table = database->CreateTable(Input());
      if (!table.ok()) return table.status();
      if (Status empty = CheckEmpty(*table); !empty.ok()) return empty;
      if (Status put = PutItems(*table); !put.ok()) return put;
      if (Status deleted = database->DeleteTable("app"); !deleted.ok()) return deleted;
    }
    return {};
  }

  void Time(benchmark::State& state) override {
    const Result<Database> database = Database::InMemory();
    for ([[maybe_unused]] auto iteration : state) {
      const Status done = database.ok() ? CreateAndDelete(*database) : database.status();
      if (done.ok()) continue;
      state.SkipWithError(done.ToString().c_str());
      break;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
  }

 private:
  static Status CreateAndDelete(const Database& database) {
    const Result<Table> table = database.CreateTable(Input());
    if (!table.ok()) return table.status();
    if (kWithItems) {
      if (Status put = PutItems(*table); !put.ok()) return put;
    }
    return database.DeleteTable("app");
  }
};

const Registered<TableCreate<false>> kEmpty;
const Registered<TableCreate<true>> kWithItems;

}  // namespace
}  // namespace dolmen::bench::table_create
