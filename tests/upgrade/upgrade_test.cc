// Tests that this release opens, verifies, reads and writes the stored database of each release.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/support/files.h"
#include "tests/support/status_matchers.h"
#include "tests/support/stream_records.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"
#include "tests/upgrade/contents.h"

namespace dolmen::upgrade {
namespace {

namespace fs = std::filesystem;
using test::IsOk;
using test::IsOkAndHolds;
using test::StatusIs;
using test::Value;

// Returns the versions of Dolmen that have a stored database, each in its own folder in
// tests/upgrade.
std::vector<std::string> StoredReleases() {
  std::vector<std::string> versions;
  for (const auto& entry : fs::directory_iterator(DOLMEN_STORED_DATABASES)) {
    if (entry.is_directory()) versions.push_back(entry.path().filename());
  }
  std::sort(versions.begin(), versions.end());
  return versions;
}

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A copy of the release's database, which the test may change.
class UpgradeTest : public testing::TestWithParam<std::string> {
 protected:
  UpgradeTest() {
    fs::copy(stored_ / kDatabaseFolder, path_, fs::copy_options::recursive);
    clock_->Advance(kLastOpening);
  }

  Database Open() const {
    OpenOptions options = OptionsWith(clock_);
    options.create_if_missing = false;
    return Value(Database::Open(path_, options));
  }

  static void ExpectIntact(const Database& db) {
    const auto report = db.Verify();
    ASSERT_THAT(report, IsOk());
    EXPECT_EQ(report->finding_count, 0u)
        << (report->findings.empty() ? "" : report->findings[0].message);
    EXPECT_TRUE(report->items > 0 && report->index_entries > 0 && report->stream_records > 0);
  }

  // Sends a new transaction with a token that the stored release has already used. The new
  // transaction differs from the one that the release sent with the token.
  static Status UseAgain(const Database& db, const char* token) {
    const Table table = Value(db.OpenTable(kTable));
    const PutItemInput put{.item = {{"PK", "late"}, {"SK", token}}};
    return db.TransactWriteItems({.actions = {{table, put}}, .client_request_token = token})
        .status();
  }

  const fs::path stored_ = fs::path(DOLMEN_STORED_DATABASES) / GetParam();
  const test::TempDirectory directory_;
  const fs::path path_ = directory_ / "db";
  const std::shared_ptr<ManualClock> clock_ = ClockAtFirstWrite();
};

// If the stored database had no table file or no data in its log, the other tests would not show
// that this release reads both.
TEST_P(UpgradeTest, TheStoredDatabaseIsSmallAndHasDataInATableFileAndInTheLog) {
  EXPECT_FALSE(test::LargestFile(path_, ".sst").empty());
  const fs::path log = test::LargestFile(path_, ".log");
  ASSERT_FALSE(log.empty());
  EXPECT_GT(fs::file_size(log), 500u);
  std::uintmax_t bytes = 0;
  for (const auto& [name, content] : test::FilesBelow(stored_)) bytes += content.size();
  EXPECT_LT(bytes, 100'000u);
}

TEST_P(UpgradeTest, TheDatabaseIsIntactAndHasTheStoredContents) {
  const std::string contents = ReadFile(stored_ / kContentsFile);
  ASSERT_FALSE(contents.empty());
  const Database db = Open();
  ExpectIntact(db);
  EXPECT_EQ(ReadContents(db), contents);
}

TEST_P(UpgradeTest, AReadOnlyOpeningChangesNoFile) {
  const auto before = test::FilesBelow(path_);
  {
    OpenOptions options = OptionsWith(clock_);
    options.read_only = true;
    ExpectIntact(Value(Database::Open(path_, options)));
  }
  EXPECT_EQ(test::FilesBelow(path_), before);
}

TEST_P(UpgradeTest, WritesSucceedAndTheirDataSurviveAReopening) {
  std::string contents;
  {
    const Database db = Open();
    const Table table = Value(db.OpenTable(kTable));
    const std::string last = Value(test::ReadStream(db, kTable)).back().sequence_number;
    const Item key = {{"PK", "row#1"}, {"SK", "5"}};
    EXPECT_THAT(table.UpdateItem({.key = key,
                                  .update = "SET kind = :k, city = :k",
                                  .condition = "attribute_exists(PK)",
                                  .values = {{":k", "new"}}}),
                IsOk());
    EXPECT_THAT(table.DeleteItem({.key = {{"PK", "row#1"}, {"SK", "6"}}}), IsOk());
    EXPECT_EQ(Value(table.Query({.index = "by_kind", .key_condition = Partition("new")})).size(),
              1u);
    const auto records = Value(test::ReadStream(db, kTable, last));
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(records[0].event_name, EventName::kModify);
    EXPECT_GT(records[0].sequence_number, last);
    contents = ReadContents(db);
  }
  const Database db = Open();
  ExpectIntact(db);
  EXPECT_EQ(ReadContents(db), contents);
}

TEST_P(UpgradeTest, ExpiredItemsAreDeletedOnce) {
  const Database db = Open();
  const Table table = Value(db.OpenTable(kTable));
  EXPECT_THAT(table.WaitForIndexes(), IsOk());
  EXPECT_THAT(table.ExpireNow(), IsOkAndHolds(1u));
  clock_->Advance(std::chrono::hours(48));
  EXPECT_THAT(table.ExpireNow(), IsOkAndHolds(1u));
  ExpectIntact(db);
}

TEST_P(UpgradeTest, ASubscriptionResumesAtItsStoredPosition) {
  const Database db = Open();
  const Table table = Value(db.OpenTable(kTable));
  std::vector<std::string> delivered;
  Subscription subscription = Value(table.Subscribe({.name = kSubscription, .in_background = false},
                                                    [&](const StreamRecord& record) {
                                                      delivered.push_back(record.sequence_number);
                                                      return Status();
                                                    }));
  const std::string position = subscription.sequence_number();
  EXPECT_THAT(subscription.Deliver(), IsOk());
  std::vector<std::string> expected;
  for (const StreamRecord& record : Value(test::ReadStream(db, kTable, position))) {
    expected.push_back(record.sequence_number);
  }
  EXPECT_EQ(delivered, expected);
  EXPECT_LT(expected.size(), Value(test::ReadStream(db, kTable)).size());
}

TEST_P(UpgradeTest, UsedTokensAreRecognizedUntilTheyExpire) {
  const Database db = Open();
  for (const char* token : {kOlderToken, kNewerToken}) {
    EXPECT_THAT(UseAgain(db, token),
                StatusIs(StatusCode::kIdempotentParameterMismatch, testing::_));
  }
  clock_->Advance(std::chrono::minutes(11));
  for (const char* token : {kOlderToken, kNewerToken}) EXPECT_THAT(UseAgain(db, token), IsOk());
}

INSTANTIATE_TEST_SUITE_P(Releases, UpgradeTest, testing::ValuesIn(StoredReleases()),
                         [](const auto& release) {
                           std::string name = release.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

TEST(StoredReleasesTest, TheDatabaseOfTheCurrentVersionIsStored) {
  EXPECT_THAT(StoredReleases(), testing::Contains(DOLMEN_VERSION))
      << "store it with: make campaign CHECKS=store-release";
}

}  // namespace
}  // namespace dolmen::upgrade
