// Tests of backups whose disk fails, whose process is killed, and whose files are damaged. The
// former backup stays usable, and nothing that is incomplete or damaged is restored.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/storage/backup/backup.h"
#include "engine/storage/encryption/encrypted_files.h"
#include "tests/backup/backed_up_database.h"
#include "tests/support/encrypted_run.h"
#include "tests/support/files.h"
#include "tests/support/intercepted_disk.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::backup {
namespace {

namespace fs = std::filesystem;
using engine::CopyPlace;
using rocksdb::IOStatus;
using test::IsOk;
using test::StatusIs;
using test::Value;
using testing::AnyOf;
using testing::HasSubstr;

// A disk that stops changing in the middle of a change, as if the process had been killed. The
// change that is the last one is done by half.
class EndingDisk : public test::InterceptedDisk {
 public:
  // The disk does `changes` changes. Each further change fails.
  explicit EndingDisk(int changes) : left_(changes) {}

  bool HasEnded() const { return left_ <= 0; }

  IOStatus Intercept(const test::DiskCall& call, const test::PerformCall& perform) override {
    using Kind = test::DiskCall::Kind;
    // A file stays open if its close is not executed.
    if (!call.Changes() || call.kind == Kind::kClose) return perform(call.bytes);
    if (left_-- > 0) return perform(call.bytes);
    if (left_ == -1 && call.kind == Kind::kWrite) perform(call.bytes / 2).PermitUncheckedError();
    return IOStatus::NoSpace("the disk is gone");
  }

  IOStatus DeleteDir(const std::string& path, const rocksdb::IOOptions& options,
                     rocksdb::IODebugContext* debug) override {
    return Intercept({test::DiskCall::Kind::kDelete, path, path},
                     [&](std::size_t) { return target()->DeleteDir(path, options, debug); });
  }

 private:
  std::atomic<int> left_;
};

// A disk that calls a function before its first call.
class WatchedDisk : public test::InterceptedDisk {
 public:
  explicit WatchedDisk(std::function<void()> before) : before_(std::move(before)) {}

  IOStatus Intercept(const test::DiskCall& call, const test::PerformCall& perform) override {
    if (before_) std::exchange(before_, nullptr)();
    return perform(call.bytes);
  }

 private:
  std::function<void()> before_;
};

class BackupFaultTest : public test::SeededTest {
 protected:
  BackupFaultTest() { PutItems(CreateApp(db_), 0, 300); }

  static OpenOptions Options() {
    return {.durability = Durability::kBuffered, .write_buffer_bytes = 64 << 10};
  }
  Table App() const { return Value(db_.OpenTable("app")); }
  engine::Store& store() const {
    return static_cast<engine::Engine*>(db_.backend().get())->store();
  }
  // Backs up to a disk that does only `changes` changes.
  Status BackupOnEndingDisk(int changes) {
    disk_ = std::make_shared<EndingDisk>(changes);
    return store().Backup({.directory = backup_, .file_system = disk_}, {}).status();
  }
  // Returns the first byte whose damage is found. A flipped bit in a prefix has no effect.
  std::size_t StartOfContent() const {
    return test::KeyInThisRun(backup_) ? engine::kEncryptedPrefixBytes : 0;
  }

  Status Restore() const { return Database::Restore(backup_, directory_ / "restored").status(); }
  std::vector<fs::path> BackupFiles() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(backup_)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    return files;
  }
  static fs::path NewestLog(const fs::path& directory) {
    fs::path newest;
    for (const auto& entry : fs::directory_iterator(directory)) {
      if (entry.path().extension() == ".log") newest = std::max(newest, entry.path());
    }
    return newest;
  }
  // Damages `file` of the backup. Expects that Restore refuses the backup and leaves nothing, or
  // that the damage has no effect. Returns true if Restore refused. Mends the file.
  bool RestoreRefuses(const fs::path& file, const std::function<void()>& damage) {
    fs::copy_file(file, directory_ / "saved", fs::copy_options::overwrite_existing);
    damage();
    const Status restored = Restore();
    if (restored.ok()) {
      EXPECT_EQ(ReadState(Value(Database::Open(directory_ / "restored"))), state_) << file;
      fs::remove_all(directory_ / "restored");
    } else {
      EXPECT_THAT(restored, AnyOf(StatusIs(StatusCode::kCorruption, HasSubstr("damaged")),
                                  StatusIs(StatusCode::kUnsupportedFormat, HasSubstr("newer")),
                                  StatusIs(StatusCode::kValidation, HasSubstr("no backup in")),
                                  StatusIs(StatusCode::kValidation, HasSubstr("no complete"))));
      EXPECT_FALSE(fs::exists(directory_ / "restored")) << file;
    }
    fs::copy_file(directory_ / "saved", file, fs::copy_options::overwrite_existing);
    return !restored.ok();
  }

  test::TempDirectory directory_;
  const fs::path backup_ = directory_ / "backup";
  const Database db_ = Value(Database::Open(directory_ / "app.dolmen", Options()));
  std::shared_ptr<EndingDisk> disk_;  // of the last BackupOnEndingDisk()
  State state_;                       // the contents of the backup
};

TEST_F(BackupFaultTest, ABackupThatEndsAtAnyChangeLeavesTheFormerBackup) {
  ASSERT_THAT(db_.Backup(backup_), IsOk());
  State former = ReadState(db_);
  int refused = 0;
  for (int changes = 0;; ++changes) {
    PutItems(App(), 1'000 + changes, 1'001 + changes);
    const State now = ReadState(db_);
    const Status backed_up = BackupOnEndingDisk(changes);
    if (!backed_up.ok()) {
      EXPECT_EQ(backed_up.code(), StatusCode::kStorage) << backed_up.ToString();
      ++refused;
    }
    const State found = ReadBackup(backup_);
    EXPECT_TRUE(found == now || (!backed_up.ok() && found == former)) << changes << " changes";
    former = found;
    if (!disk_->HasEnded()) break;
  }
  EXPECT_GT(refused, 20);
  ASSERT_THAT(db_.Backup(backup_), IsOk());
  const std::size_t files = BackupFiles().size();
  ASSERT_THAT(db_.Backup(directory_ / "fresh"), IsOk());
  std::size_t fresh = 0;
  for (const auto& entry : fs::recursive_directory_iterator(directory_ / "fresh")) {
    fresh += entry.is_regular_file();
  }
  EXPECT_EQ(files, fresh) << "interrupted backups left files";
}

TEST_F(BackupFaultTest, AFirstBackupThatEndsAtAnyChangeIsContinuedByTheNext) {
  for (int changes = 0;; ++changes) {
    const Status backed_up = BackupOnEndingDisk(changes);
    if (backed_up.ok()) break;
    EXPECT_THAT(backed_up, StatusIs(StatusCode::kStorage, HasSubstr("free some space and retry")));
    EXPECT_THAT(Restore(),
                AnyOf(IsOk(), StatusIs(StatusCode::kValidation, HasSubstr("backup in"))));
    fs::remove_all(directory_ / "restored");
    if (changes % 2 == 0) fs::remove_all(backup_);
  }
  EXPECT_EQ(ReadBackup(backup_), ReadState(db_));
}

TEST_F(BackupFaultTest, ARestoreThatEndsAtAnyTimeLeavesNoDatabase) {
  ASSERT_THAT(db_.Backup(backup_), IsOk());
  int copies = 0;
  const auto copy = [&](const CopyProgress&) {
    fs::remove_all(directory_ / "crashed");
    fs::copy(directory_ / "restored", directory_ / "crashed", fs::copy_options::recursive);
    EXPECT_FALSE(Database::Open(directory_ / "crashed").ok()) << "after " << copies;
    ++copies;
    return true;
  };
  ASSERT_THAT(Database::Restore(backup_, directory_ / "restored", {.progress = copy}), IsOk());
  EXPECT_GT(copies, 5);
  const auto key = test::KeyInThisRun(backup_);
  for (int changes = 0;; ++changes) {
    const Status restored =
        engine::RestoreBackup({.directory = backup_, .encryption_key = key},
                              {.directory = directory_ / "ended",
                               .file_system = std::make_shared<EndingDisk>(changes),
                               .encryption_key = key},
                              {})
            .status();
    if (restored.ok()) break;
    EXPECT_THAT(restored, StatusIs(StatusCode::kStorage, HasSubstr("free some space")));
    EXPECT_FALSE(fs::exists(directory_ / "ended"));
  }
}

TEST_F(BackupFaultTest, TheDirectoryOfARestoreIsInUseFromTheBeginning) {
  ASSERT_THAT(db_.Backup(backup_), IsOk());
  const fs::path to = directory_ / "restored";
  const auto disk = std::make_shared<WatchedDisk>([&] {
    EXPECT_TRUE(fs::is_empty(to));
    EXPECT_THAT(Database::Open(to), StatusIs(StatusCode::kResourceInUse, HasSubstr("created")));
    EXPECT_THAT(db_.Backup(to), StatusIs(StatusCode::kResourceInUse, HasSubstr("created")));
    EXPECT_TRUE(fs::is_empty(to));
  });
  const auto key = test::KeyInThisRun(backup_);
  ASSERT_THAT(
      engine::RestoreBackup({.directory = backup_, .encryption_key = key},
                            {.directory = to, .file_system = disk, .encryption_key = key}, {}),
      IsOk());
  EXPECT_EQ(ReadState(Value(Database::Open(to))), ReadState(db_));
}

TEST_F(BackupFaultTest, ADamagedBackupIsNotRestored) {
  ASSERT_THAT(db_.Backup(backup_), IsOk());
  state_ = ReadState(db_);
  std::size_t cases = 0;
  std::size_t refused = 0;
  const std::size_t start = StartOfContent();
  for (const fs::path& file : BackupFiles()) {
    if (file.filename() == "DOLMEN.backup") continue;  // is empty
    const std::uintmax_t size = fs::file_size(file);
    const auto flip = [&] {
      const std::size_t at = start + random_.Below(size - start);
      test::FlipBit(file, (static_cast<double>(at) + 0.5) / static_cast<double>(size));
    };
    const auto shorten = [&] { fs::resize_file(file, random_.Below(size)); };
    const auto lengthen = [&] { fs::resize_file(file, size + 1); };
    for (int again = 0; again < 10; ++again, cases += 2) {
      refused += RestoreRefuses(file, flip) ? 1 : 0;
      refused += RestoreRefuses(file, shorten) ? 1 : 0;
    }
    refused += RestoreRefuses(file, lengthen) ? 1 : 0;
    refused += RestoreRefuses(file, [&] { fs::remove(file); }) ? 1 : 0;
    cases += 2;
  }
  EXPECT_EQ(refused, cases);
  EXPECT_THAT(Restore(), IsOk());
}

TEST_F(BackupFaultTest, ADamagedListOfFilesIsNotRestoredAndNotContinued) {
  ASSERT_THAT(db_.Backup(backup_), IsOk());
  state_ = ReadState(db_);
  for (const fs::path& file : {backup_ / "meta" / "1", backup_ / "DOLMEN.backup.current"}) {
    const auto size = static_cast<double>(fs::file_size(file));
    for (auto at = static_cast<double>(StartOfContent()); at < size; ++at) {
      EXPECT_TRUE(RestoreRefuses(file, [&] { test::FlipBit(file, (at + 0.5) / size); })) << at;
    }
  }
  test::FlipBit(backup_ / "meta" / "1", 0.99);
  EXPECT_THAT(db_.Backup(backup_).status(),
              StatusIs(StatusCode::kCorruption, HasSubstr("another directory")));
}

// The list of the logs in the restored database names the writes that its log must hold.
TEST_F(BackupFaultTest, ALogOfARestoredDatabaseThatLostItsEndIsRefused) {
  PutItems(App(), 1'000, 1'010);
  ASSERT_THAT(db_.Backup(backup_), IsOk());
  ASSERT_THAT(Restore(), IsOk());
  const fs::path log = NewestLog(directory_ / "restored");
  fs::resize_file(log, fs::file_size(log) - 1);
  EXPECT_THAT(Database::Open(directory_ / "restored"),
              StatusIs(StatusCode::kCorruption, HasSubstr("lost its end")));
}

TEST_F(BackupFaultTest, ALogThatLostItsEndBeforeTheBackupIsNotRestored) {
  PutItems(App(), 1'000, 1'010);
  const fs::path log = NewestLog(directory_ / "app.dolmen");
  fs::resize_file(log, fs::file_size(log) - 1);
  ASSERT_THAT(db_.Backup(backup_), IsOk());
  EXPECT_THAT(Restore(), StatusIs(StatusCode::kCorruption, HasSubstr("lost its end")));
  EXPECT_FALSE(fs::exists(directory_ / "restored"));
}

}  // namespace
}  // namespace dolmen::backup
