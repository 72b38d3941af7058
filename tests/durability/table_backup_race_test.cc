// Tests of backups of tables whose calls of the file system fail, or meet another operation at the same moment.

#include <gmock/gmock.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/support/intercepted_disk.h"
#include "tests/support/open_on_disk.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using testing::HasSubstr;

// A file that calls a function when it is closed.
class ClosedFile : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  ClosedFile(std::unique_ptr<rocksdb::FSRandomAccessFile> file, std::function<void()> on_close)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), on_close_(std::move(on_close)) {}
  ~ClosedFile() override { on_close_(); }

 private:
  const std::function<void()> on_close_;
};

// A disk whose calls for the files of backups a test observes and fails.
class BackupsDisk : public InterceptedDisk {
 public:
  // Called before each call. The call fails if it returns false.
  std::function<bool(const DiskCall& call)> before = nullptr;
  // Called when a table file is closed that was read.
  std::function<void()> on_close = nullptr;

  rocksdb::IOStatus Intercept(const DiskCall& call, const PerformCall& perform) override {
    const bool is_of_backups = call.path.find("/backups") != std::string::npos;
    if (is_of_backups && before && !before(call)) {
      return rocksdb::IOStatus::IOError("Input/output error");
    }
    return perform(call.bytes);
  }
  rocksdb::IOStatus NewRandomAccessFile(const std::string& path,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                        rocksdb::IODebugContext* debug) override {
    auto status = InterceptedDisk::NewRandomAccessFile(path, options, file, debug);
    if (status.ok() && path.find("/backups/") != std::string::npos) {
      *file = std::make_unique<ClosedFile>(std::move(*file), [this] {
        if (on_close) on_close();
      });
    }
    return status;
  }
};

class TableBackupRaceTest : public testing::Test {
 protected:
  // Makes a table whose items are in a table file.
  TableBackupRaceTest() {
    {
      const Database db = Value(Database::Open(directory_ / "db"));
      const Table table = Value(db.CreateTable({.name = "things"}));
      EXPECT_THAT(table.PutItem({.item = {{"PK", "p"}, {"SK", "1"}}}), IsOk());
    }
    Open();
  }

  void Open() {
    db_.reset();
    db_ = Value(OpenOnDisk(directory_ / "db", disk_, {}));
  }
  Result<TableBackup> CreateBackup() const {
    return db_->CreateBackup({.table_name = "things", .backup_name = "backup"});
  }
  Status Restore(const std::string& id, const std::string& table) const {
    return db_->RestoreTableFromBackup({.backup_id = id, .target = {.table_name = table}}).status();
  }

  const TempDirectory directory_;
  const std::shared_ptr<BackupsDisk> disk_ = std::make_shared<BackupsDisk>();
  std::optional<Database> db_;
};

TEST_F(TableBackupRaceTest, ABackupWhoseCreationFailedDoesNotExistLater) {
  for (const bool for_good : {false, true}) {
    bool has_failed = true;
    for (int failing = 0; has_failed; ++failing) {
      SCOPED_TRACE(std::to_string(failing) + (for_good ? " for good" : ""));
      has_failed = false;
      int calls = 0;
      disk_->before = [&](const DiskCall& call) {
        if (!call.Changes()) return true;
        const int number = calls++;
        const bool fails = for_good ? number >= failing : number == failing;
        has_failed |= fails;
        return !fails;
      };
      const Result<TableBackup> created = CreateBackup();
      disk_->before = nullptr;
      EXPECT_EQ(Value(db_->ListBackups()).size(), created.ok() ? 1U : 0U);
      Open();
      EXPECT_EQ(Value(db_->ListBackups()).size(), created.ok() ? 1U : 0U);
      if (created.ok()) {
        EXPECT_THAT(db_->DeleteBackup(created->id), IsOk());
      }
    }
  }
}

TEST_F(TableBackupRaceTest, VerifyDoesNotReportABackupThatIsDeletedMeanwhile) {
  const std::string id = Value(CreateBackup()).id;
  bool is_deleted = false;
  disk_->before = [&](const DiskCall& call) {
    if (call.path.ends_with("/DOLMEN.table") && !std::exchange(is_deleted, true)) {
      EXPECT_THAT(db_->DeleteBackup(id), IsOk());
    }
    return true;
  };
  EXPECT_EQ(Value(db_->Verify()).finding_count, 0U);
  EXPECT_TRUE(is_deleted);
}

TEST_F(TableBackupRaceTest, ABackupIsInUseUntilItsFilesAreClosed) {
  const std::string id = Value(CreateBackup()).id;
  std::vector<Status> outcomes;
  bool is_closing = false;
  disk_->on_close = [&] {
    if (std::exchange(is_closing, true)) return;
    outcomes.push_back(Restore(id, "meanwhile"));
    outcomes.push_back(db_->DeleteBackup(id).status());
  };
  EXPECT_THAT(Restore(id, "restored"), IsOk());
  ASSERT_EQ(outcomes.size(), 2U);
  for (const Status& outcome : outcomes) {
    EXPECT_THAT(outcome, StatusIs(StatusCode::kBackupInUse, HasSubstr("being used to restore")));
  }
  EXPECT_THAT(Restore(id, "later"), IsOk());
}

}  // namespace
}  // namespace dolmen::test
