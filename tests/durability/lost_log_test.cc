// Tests of a database whose logs or manifest have lost their end. A crash explains only that the
// newest log has lost writes at its end. Open refuses everything else, and changes nothing.

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/repair/repair.h"
#include "engine/storage/encryption/encrypted_files.h"
#include "engine/storage/files/directory.h"
#include "engine/write/atomic_write.h"
#include "tests/durability/held_back_tables.h"
#include "tests/durability/pair_database.h"
#include "tests/support/encrypted_run.h"
#include "tests/support/files.h"
#include "tests/support/items.h"
#include "tests/support/log_bytes.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

namespace fs = std::filesystem;
using test::IsOk;
using test::StatusIs;

constexpr std::size_t kLogPadding = 500;  // of padding in an item
constexpr std::size_t kLogCuts = 60;      // for each file
constexpr std::int64_t kWritesInNewestLog = 12;
constexpr std::size_t kLostPageBytes = 4096;

class LostLogTest : public test::SeededTest {
 protected:
  static OpenOptions Options(Durability durability = Durability::kBuffered) {
    return {.durability = durability, .write_buffer_bytes = 64 << 10};
  }

  // Creates a database with two logs as a killed process leaves it. Sets `contents_`.
  void MakeTwoLogs(Durability durability = Durability::kBuffered) {
    const auto disk = std::make_shared<HeldBackTables>();
    disk->HoldBack();
    PairDatabase db;
    // Destroyed before `db`, whose destructor waits for the table files. So a failed ASSERT ends.
    const std::shared_ptr<void> release(nullptr, [&](void*) { disk->Release(); });
    ASSERT_THAT(db.Open(directory_ / "open", disk, Options(durability)), IsOk());
    std::int64_t number = 0;
    while (!HasFailure() && Files("open", ".log").size() < 2) Write(db, ++number);
    for (std::int64_t more = 0; more < kWritesInNewestLog; ++more) Write(db, ++number);
    contents_ = db.Read();
    fs::copy(directory_ / "open", directory_ / "original", fs::copy_options::recursive);
  }

  void Write(const PairDatabase& db, std::int64_t number) {
    ASSERT_THAT(db.Write(number, kLogPadding), IsOk());
  }

  // Returns the names of the files with this end, in their order.
  std::set<std::string> Files(const std::string& directory, const std::string& end) const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_ / directory)) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with(end) || (end == "MANIFEST" && name.starts_with(end))) names.insert(name);
    }
    return names;
  }

  // Returns the path of a file in a fresh copy of the database, for the test to damage.
  fs::path InCopy(const std::string& name) {
    fs::remove_all(directory_ / "copy");
    fs::copy(directory_ / "original", directory_ / "copy", fs::copy_options::recursive);
    return directory_ / "copy" / name;
  }

  // Replaces a page of a file by zeros.
  static void LosePage(const fs::path& path, std::size_t page) {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(page * kLostPageBytes));
    const std::size_t left = fs::file_size(path) - page * kLostPageBytes;
    file << std::string(std::min(kLostPageBytes, left), '\0');
  }

  // Returns the first page of a file's content, behind the prefix of an encrypted file. A power cut
  // does not lose the prefix of a log, which is synced when the log is created.
  std::size_t FirstContentPage() const {
    return test::KeyInThisRun(directory_ / "original") ? kEncryptedPrefixBytes / kLostPageBytes : 0;
  }

  // Expects that Open refuses the copy and leaves its files as they are.
  void ExpectRefused() const {
    const auto before = test::FilesBelow(directory_ / "copy");
    PairDatabase db;
    EXPECT_THAT(db.Open(directory_ / "copy", nullptr, Options()),
                StatusIs(StatusCode::kCorruption, testing::HasSubstr("restore the database")));
    EXPECT_TRUE(test::FilesBelow(directory_ / "copy") == before);
  }

  test::TempDirectory directory_;
  PairDatabase::Contents contents_;
};

TEST_F(LostLogTest, AnOlderLogThatLostItsEndIsRefused) {
  MakeTwoLogs();
  const std::string older = *Files("original", ".log").begin();
  const std::uintmax_t size = fs::file_size(directory_ / "original" / older);
  for (std::size_t cut = 0; cut < test::TestSteps(kLogCuts); ++cut) {
    const std::size_t left = random_.Below(size);
    SCOPED_TRACE(std::to_string(left) + " of " + std::to_string(size) + " bytes are left");
    fs::resize_file(InCopy(older), left);
    ExpectRefused();
  }
  fs::remove(InCopy(older));
  ExpectRefused();
}

TEST_F(LostLogTest, TheNewestLogMayLoseItsEndInACrash) {
  MakeTwoLogs();
  const std::string newest = *Files("original", ".log").rbegin();
  const std::uintmax_t size = fs::file_size(directory_ / "original" / newest);
  for (std::size_t cut = 0; cut < test::TestSteps(kLogCuts); ++cut) {
    fs::resize_file(InCopy(newest), cut == 0 ? size : random_.Below(size));
    PairDatabase db;
    ASSERT_THAT(db.Open(directory_ / "copy", nullptr, Options()), IsOk());
    EXPECT_EQ(db.Read(), db.Read("GSI1"));
    if (cut == 0) {
      EXPECT_EQ(db.Read(), contents_);
    }
  }
  fs::remove(InCopy(newest));
  ExpectRefused();
}

// A power cut can leave pages of zeros in the part of a log that was not synced.
TEST_F(LostLogTest, TheNewestLogEndsAtAPageOfZeros) {
  MakeTwoLogs();
  const std::string newest = *Files("original", ".log").rbegin();
  const std::size_t pages = fs::file_size(directory_ / "original" / newest) / kLostPageBytes;
  ASSERT_GT(pages, 4u);
  std::int64_t kept_before =
      0;  // the last write that the database keeps if an earlier page is lost
  for (std::size_t page = FirstContentPage(); page <= pages; ++page) {
    SCOPED_TRACE("page " + std::to_string(page) + " of " + std::to_string(pages));
    LosePage(InCopy(newest), page);
    PairDatabase db;
    ASSERT_THAT(db.Open(directory_ / "copy", nullptr, Options()), IsOk());
    const PairDatabase::Contents found = db.Read();
    EXPECT_EQ(db.Read("GSI1"), found);
    EXPECT_EQ(db.ReadStream(), found);
    std::int64_t kept = 0;
    for (const auto& [key, number] : found) kept = std::max(kept, number);
    EXPECT_GE(kept, kept_before);
    kept_before = kept;
    EXPECT_NE(found, contents_);
  }
}

// A write of kSync is acknowledged after a sync. So a page of zeros before such a write is no
// result of a power cut.
TEST_F(LostLogTest, APageOfZerosBeforeSyncedWritesIsRefused) {
  MakeTwoLogs(Durability::kSync);
  const std::string newest = *Files("original", ".log").rbegin();
  const std::size_t size = fs::file_size(directory_ / "original" / newest);
  const std::size_t write_bytes = size / kWritesInNewestLog;
  std::size_t refused = 0;
  for (std::size_t page = 0; (page + 1) * kLostPageBytes + 3 * write_bytes < size; ++page) {
    SCOPED_TRACE("page " + std::to_string(page));
    LosePage(InCopy(newest), page);
    ExpectRefused();
    ++refused;
  }
  EXPECT_GT(refused, 2u);
}

TEST_F(LostLogTest, APageOfZerosInAnOlderLogIsRefused) {
  MakeTwoLogs();
  const std::string older = *Files("original", ".log").begin();
  const std::size_t pages = fs::file_size(directory_ / "original" / older) / kLostPageBytes;
  for (std::size_t page = 0; page <= pages; ++page) {
    LosePage(InCopy(older), page);
    ExpectRefused();
  }
}

TEST_F(LostLogTest, TheLogOfAClosedDatabaseMayLoseNothing) {
  PairDatabase db;
  ASSERT_THAT(db.Open(directory_ / "original", nullptr, Options()), IsOk());
  for (std::int64_t number = 1; number <= 9; ++number) Write(db, number);
  db.Close();
  const std::string log = *Files("original", ".log").rbegin();
  const std::uintmax_t size = fs::file_size(directory_ / "original" / log);
  for (std::size_t cut = 0; cut < test::TestSteps(kLogCuts); ++cut) {
    fs::resize_file(InCopy(log), random_.Below(size));
    ExpectRefused();
  }
  for (std::size_t page = 0; page * kLostPageBytes < size; ++page) {
    LosePage(InCopy(log), page);
    ExpectRefused();
  }
  fs::remove(InCopy(log));
  ExpectRefused();
}

// Each opening moves the writes of the log before it to a table file, adds the table file to the
// manifest and deletes the log.
TEST_F(LostLogTest, AManifestThatLostItsEndIsRefused) {
  PairDatabase db;
  for (std::int64_t number = 1; number <= 3; ++number) {
    ASSERT_THAT(db.Open(directory_ / "original", nullptr, Options()), IsOk());
    Write(db, number);
    contents_ = db.Read();
    db.Close();
  }
  const std::string manifest = *Files("original", "MANIFEST").rbegin();
  const std::uintmax_t size = fs::file_size(directory_ / "original" / manifest);
  std::size_t refused = 0;
  const std::uintmax_t start = FirstContentPage() * kLostPageBytes;
  for (std::uintmax_t left = start; left < size; ++left) {
    SCOPED_TRACE(std::to_string(left) + " of " + std::to_string(size) + " bytes are left");
    fs::resize_file(InCopy(manifest), left);
    const auto before = test::FilesBelow(directory_ / "copy");
    const Status opened = db.Open(directory_ / "copy", nullptr, Options());
    if (opened.ok()) {
      EXPECT_EQ(db.Read(), contents_);
      db.Close();
      continue;
    }
    ++refused;
    EXPECT_EQ(opened.code(), StatusCode::kCorruption) << opened.ToString();
    EXPECT_TRUE(test::FilesBelow(directory_ / "copy") == before);
  }
  EXPECT_GT(refused, (size - start) / 2);
}

TEST_F(LostLogTest, ADamagedListOfTheLogsIsRefused) {
  MakeTwoLogs();
  const std::uintmax_t size = fs::file_size(directory_ / "original" / kLogListFile);
  for (std::uintmax_t left = FirstContentPage() * kLostPageBytes; left < size; ++left) {
    fs::resize_file(InCopy(kLogListFile), left);
    ExpectRefused();
  }
}

TEST_F(LostLogTest, AMissingListOfTheLogsIsRefused) {
  MakeTwoLogs();
  fs::remove(InCopy(kLogListFile));
  ExpectRefused();
  fs::remove(directory_ / "copy" / *Files("original", ".log").rbegin());
  ExpectRefused();
}

// Anybody who may write items can store bytes that look like a record of a log.
class PlantedRecordTest : public LostLogTest {
 protected:
  // Creates a database whose log holds the writes 1 to 9, then an item whose value contains a
  // record that deletes everything, and then more writes if `has_later_writes`.
  void MakeLog(bool has_later_writes) {
    PairDatabase db;
    ASSERT_THAT(db.Open(directory_ / "open", nullptr, Options()), IsOk());
    for (std::int64_t number = 1; number <= 9; ++number) Write(db, number);
    contents_ = db.Read();
    log_ = *Files("open", ".log").rbegin();
    begin_ = fs::file_size(directory_ / "open" / log_);
    const std::string planted =
        test::LogRecord(test::DeletionOfEverything(db.engine().store().LatestSequence() + 3, true));
    const std::string value = std::string(kLogPadding, 'x') + planted + planted;
    const PutItemInput input{.item = {{"PK", "z"}, {"SK", "z"}, {"v", test::B(value)}}};
    const auto table = db.engine().catalog().Find("table");
    ASSERT_THAT(table, IsOk());
    ASSERT_THAT(WriteItem(db.engine().write_context(), **table, input), IsOk());
    end_ = fs::file_size(directory_ / "open" / log_);
    if (has_later_writes) {
      for (std::int64_t number = 10; number <= 12; ++number) Write(db, number);
      contents_ = db.Read();
    }
    fs::copy(directory_ / "open", directory_ / "original", fs::copy_options::recursive);
  }

  std::string log_;
  std::uintmax_t begin_ = 0;  // the record of the item
  std::uintmax_t end_ = 0;
};

TEST_F(PlantedRecordTest, ATornRecordIsNotDamage) {
  MakeLog(false);
  for (std::uintmax_t size = begin_; size < end_; size += 61) {
    fs::resize_file(InCopy(log_), size);
    PairDatabase db;
    ASSERT_THAT(db.Open(directory_ / "copy", nullptr, Options()), IsOk()) << size;
    EXPECT_EQ(db.Read(), contents_);
  }
}

TEST_F(PlantedRecordTest, ARepairDoesNotReplayIt) {
  MakeLog(true);
  std::fstream file(InCopy(log_), std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(begin_ + kLogPadding / 2));
  file.put('#');
  file.close();
  ExpectRefused();
  const RepairOptions options{.encryption_key = test::KeyInThisRun(directory_ / "copy")};
  ASSERT_THAT(Repair(directory_ / "copy", directory_ / "repaired", options), IsOk());
  PairDatabase db;
  ASSERT_THAT(db.Open(directory_ / "repaired", nullptr, Options()), IsOk());
  EXPECT_EQ(db.Read(), contents_);
}

// Release 0.2.0 wrote one line into the marker file, and no list.
TEST_F(LostLogTest, AMissingListIsAcceptedIfAPowerCutToreTheNoteAboutIt) {
  MakeTwoLogs();
  std::ifstream file(directory_ / "original" / kMarkerFile);
  const std::string marker{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::size_t note = marker.find("DOLMEN.logs");
  ASSERT_NE(note, marker.npos);
  for (std::size_t left = note; left < marker.size(); ++left) {
    fs::resize_file(InCopy(kMarkerFile), left);
    fs::remove(directory_ / "copy" / kLogListFile);
    PairDatabase db;
    ASSERT_THAT(db.Open(directory_ / "copy", nullptr, Options()), IsOk()) << left;
    EXPECT_EQ(db.Read(), contents_);
    EXPECT_EQ(fs::file_size(directory_ / "copy" / kMarkerFile), marker.size());
  }
}

}  // namespace
}  // namespace dolmen::engine
