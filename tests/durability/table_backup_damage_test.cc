// Tests of damage to every file of a table's backup. ListBackups or Verify names the damage, or a restore refuses the
// backup, or a restore finds each item of it.

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/durability/damage_rig.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::engine {
namespace {

namespace fs = std::filesystem;
using test::IsOk;
using test::Value;

constexpr std::uintmax_t kTerabyte = std::uintmax_t{1} << 40;
constexpr std::size_t kBytesOfAFile = 4;  // the bytes of each file in which a bit is flipped

class TableBackupDamageTest : public test::SeededTest {
 protected:
  // Makes two backups. The first has table files and a log, and the second has other items.
  TableBackupDamageTest() {
    {
      const Database db = Value(Database::Open(original_));
      PutItems(Value(db.CreateTable({.name = "things",
                                     .global_secondary_indexes = {{.name = "by_kind",
                                                                   .partition_key = {{"kind"}},
                                                                   .sort_key = {{"SK"}}}}})),
               0, 30);
    }
    const Database db =
        Value(Database::Open(original_));  // moves the items from the log to table files
    const Table table = Value(db.OpenTable("things"));
    PutItems(table, 30, 40);
    id_ = Value(db.CreateBackup({.table_name = "things", .backup_name = "first"})).id;
    expected_ = Value(Restored(db));
    PutItems(table, 20, 60);
    other_id_ = Value(db.CreateBackup({.table_name = "things", .backup_name = "second"})).id;
  }

  static void PutItems(const Table& table, int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const std::string name = std::to_string(i);
      EXPECT_THAT(table.PutItem({.item = {{"PK", "p"}, {"SK", name}, {"kind", "k"}, {"end", end}}}),
                  IsOk());
    }
  }

  Result<std::vector<Item>> Restored(const Database& db) const {
    std::vector<Item> items;
    const Status status =
        db.RestoreTableFromBackup({.backup_id = id_,
                                   .target = {.table_name = "restored",
                                              .on_item =
                                                  [&](const ItemView& item) {
                                                    Result<Item> copy = item.Copy();
                                                    if (copy.ok())
                                                      items.push_back(*std::move(copy));
                                                    return copy.status();
                                                  }}})
            .status();
    if (!status.ok()) return status;
    return items;
  }

  // Copies the database, changes the file of the copy's first backup, and returns who notices it.
  std::string Outcome(const std::string& file, const std::function<void(const fs::path&)>& change) {
    CopyDirectory(original_, copy_);
    change(copy_ / "backups" / id_ / file);
    const Result<Database> db = Database::Open(copy_);
    if (!db.ok()) return "refused to open: " + db.status().message();
    const Result<std::vector<TableBackup>> backups = db->ListBackups();
    if (!backups.ok() || backups->size() != 2) return "SILENT: ListBackups lacks a backup";
    if (!Value(db->DescribeBackup(id_)).damage.empty()) return "listed";
    const bool found = Value(db->Verify()).finding_count > 0;
    const Result<std::vector<Item>> items = Restored(*db);
    if (found) return items.ok() && *items == expected_ ? "found, restores" : "found";
    if (!items.ok() && items.status().code() == StatusCode::kCorruption) return "refused";
    if (!items.ok()) return "refused: " + items.status().message();
    return *items == expected_ ? "harmless" : "SILENT";
  }

  void Check(const std::string& file, const std::string& kind,
             const std::function<void(const fs::path&)>& change) {
    const std::string outcome = Outcome(file, change);
    ++outcomes_[FileKind(fs::path(file).filename()) + " " + kind][outcome];
    const bool said = !outcome.starts_with("SILENT");
    EXPECT_TRUE(said) << outcome << ", " << kind << " of " << file;
  }

  std::vector<std::string> FilesOfTheBackup() const {
    std::vector<std::string> files;
    for (const auto& [path, bytes] : test::FilesBelow(original_ / "backups" / id_)) {
      files.push_back(fs::relative(path, original_ / "backups" / id_));
    }
    return files;
  }

  test::TempDirectory directory_;
  const fs::path original_ = directory_ / "original";
  const fs::path copy_ = directory_ / "copy";
  std::string id_;
  std::string other_id_;
  std::vector<Item> expected_;
  std::map<std::string, std::map<std::string, std::size_t>> outcomes_;
};

TEST_F(TableBackupDamageTest, NoDamageIsSilent) {
  for (const std::string& file : FilesOfTheBackup()) {
    const std::uintmax_t size = fs::file_size(original_ / "backups" / id_ / file);
    Check(file, "missing", [](const fs::path& path) { fs::remove(path); });
    Check(file, "longer", [&](const fs::path& path) { fs::resize_file(path, size + 1); });
    Check(file, "sparse", [](const fs::path& path) { fs::resize_file(path, kTerabyte); });
    Check(file, "of another backup", [&](const fs::path& path) {
      const fs::path other = copy_ / "backups" / other_id_ / file;
      if (fs::exists(other)) fs::copy_file(other, path, fs::copy_options::overwrite_existing);
    });
    if (size == 0) continue;
    const std::size_t flips = test::TestSteps(kBytesOfAFile);
    for (std::size_t i = 0; i < std::min<std::size_t>(flips, size); ++i) {
      // Enough steps flip a bit of each byte.
      const std::size_t at = flips >= size ? i : random_.Below(size);
      Check(file, "bit", [&](const fs::path& path) {
        test::FlipBit(path, (static_cast<double>(at) + 0.5) / static_cast<double>(size));
      });
    }
    for (const std::uintmax_t end : {std::uintmax_t{0}, random_.Below(size), size - 1}) {
      Check(file, "shorter", [&](const fs::path& path) { fs::resize_file(path, end); });
    }
  }
  // The whole other backup below this one's description.
  Check("DOLMEN.table", "alone", [&](const fs::path& description) {
    const fs::path other = copy_ / "backups" / other_id_;
    fs::rename(description, other / "DOLMEN.table");
    fs::remove_all(description.parent_path());
    fs::rename(other, description.parent_path());
    fs::create_directory(other);
  });
  for (const auto& [kind, counts] : outcomes_) {
    std::cout << kind << ":";
    for (const auto& [outcome, count] : counts) std::cout << " " << count << " " << outcome;
    std::cout << "\n";
  }
}

}  // namespace
}  // namespace dolmen::engine
