// A test of ImportTable beside compactions, forks, backups and the creation of other tables.

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "engine/engine.h"
#include "tests/concurrent/threads.h"
#include "tests/support/contents.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

constexpr std::size_t kImporters = 2;
constexpr std::size_t kImportsOfEach = 15;
constexpr std::size_t kRowsOfAnImport = 60;

class ImportBesideTest : public testing::Test {
 protected:
  static std::string NameOf(std::size_t importer, std::size_t import) {
    return "imported" + std::to_string(importer) + "-" + std::to_string(import);
  }

  void Import(std::size_t importer) {
    for (std::size_t import = 0; import < kImportsOfEach; ++import) {
      std::size_t row = 0;
      const auto imported =
          database_.ImportTable({.table = {.name = NameOf(importer, import)},
                                 .next_item = [&](Item* item) -> Result<bool> {
                                   if (row == kRowsOfAnImport) return false;
                                   *item = {{"PK", "p"}, {"SK", std::to_string(row++)}};
                                   return true;
                                 }});
      EXPECT_THAT(imported, IsOk());
    }
    ++ended_;
  }

  // Repeats the work until the imports have ended.
  void Repeat(const std::function<Status(std::size_t turn)>& work) {
    for (std::size_t turn = 0; ended_ < kImporters && !HasFailure(); ++turn) {
      EXPECT_THAT(work(turn), IsOk());
    }
  }

  Status Compact() const {
    return static_cast<engine::Engine*>(database_.backend().get())->store().Compact();
  }

  // Creates a table whose keys are behind those of an import that runs, and flushes some items of it.
  Status CreateOther(std::size_t turn) const {
    const Result<Table> table = database_.CreateTable({.name = "other" + std::to_string(turn)});
    if (!table.ok()) return table.status();
    for (int row = 0; row < 20; ++row) {
      const Item item = {
          {"PK", "p"}, {"SK", std::to_string(row)}, {"filler", std::string(4000, 'x')}};
      if (Status put = table->PutItem({.item = item}).status(); !put.ok()) return put;
    }
    return {};
  }

  // Checks that each imported table that a copy has is whole.
  static void CheckWhole(const Database& copy) {
    for (std::size_t importer = 0; importer < kImporters; ++importer) {
      for (std::size_t import = 0; import < kImportsOfEach; ++import) {
        const auto table = copy.OpenTable(NameOf(importer, import));
        if (!table.ok()) continue;
        EXPECT_EQ(ReadContents(*table).size(), kRowsOfAnImport);
      }
    }
  }

  Status Fork(std::size_t turn) const {
    const std::string directory = directory_ / ("fork" + std::to_string(turn));
    const Result<Database> fork = database_.Fork({.directory = directory});
    if (fork.ok()) CheckWhole(*fork);
    return fork.status();
  }

  Status BackUp(std::size_t turn) const {
    const std::string restored = directory_ / ("restored" + std::to_string(turn));
    if (Status made = database_.Backup(directory_ / "backup").status(); !made.ok()) return made;
    if (Status made = Database::Restore(directory_ / "backup", restored).status(); !made.ok()) {
      return made;
    }
    CheckWhole(Value(Database::Open(restored)));
    std::filesystem::remove_all(restored);
    return {};
  }

  const TempDirectory directory_;
  const Database database_ = Value(Database::Open(
      directory_ / "db", {.durability = Durability::kBuffered, .write_buffer_bytes = 64 << 10}));
  std::atomic<std::size_t> ended_ = 0;
};

TEST_F(ImportBesideTest, NothingDisturbsAnImportAndCopiesHaveItAsAWhole) {
  const std::vector<std::function<Status(std::size_t)>> others = {
      [this](std::size_t) { return Compact(); },
      [this](std::size_t turn) { return CreateOther(turn); },
      [this](std::size_t turn) { return Fork(turn); },
      [this](std::size_t turn) { return BackUp(turn); }};
  RunTogether(kImporters + others.size(), [&](std::size_t thread) {
    if (thread < kImporters) {
      Import(thread);
    } else {
      Repeat(others[thread - kImporters]);
    }
  });
  EXPECT_THAT(database_.WriteFailure(), IsOk());
  CheckWhole(database_);
  EXPECT_EQ(Value(database_.Verify()).finding_count, 0u);
}

}  // namespace
}  // namespace dolmen::test
