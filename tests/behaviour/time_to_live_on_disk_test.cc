// Tests of time to live on databases that are closed and reopened.

#include <optional>
#include <string>
#include <utility>

#include "tests/behaviour/expiring_table.h"
#include "tests/behaviour/one_item.h"
#include "tests/behaviour/time_to_live.h"
#include "tests/support/temp_directory.h"

namespace dolmen::behaviour {
namespace {

class TimeToLiveOnDiskTest : public ExpiringTableTest {
 protected:
  // A database on disk that has just been opened, and its table.
  struct Opened {
    explicit Opened(Result<Database> opened) {
      EXPECT_THAT(opened, IsOk());
      database = *std::move(opened);
      auto found = database->OpenTable("sessions");
      if (!found.ok()) found = database->CreateTable(TableInput());
      EXPECT_THAT(found, IsOk());
      table = *std::move(found);
    }
    Result<TimeToLiveDescription> Describe() const {
      return database->DescribeTimeToLive("sessions");
    }
    Status Change(const TimeToLiveSpecification& specification) const {
      return database->UpdateTimeToLive({.table_name = "sessions", .specification = specification})
          .status();
    }
    bool Finds(const std::string& sort) const {
      return table->GetItem({.key = Key(sort)})->item.has_value();
    }

    std::optional<Database> database;
    std::optional<Table> table;
  };
  Opened Open() const { return Opened(Database::Open(directory_ / "db", Options())); }

 private:
  test::TempDirectory directory_;
};

TEST_F(TimeToLiveOnDiskTest, SettingsSurviveReopening) {
  const TimeToLiveSpecification shown{.attribute_name = "expires"};
  const TimeToLiveSpecification hidden{.attribute_name = "expires", .hide_expired = true};
  const TimeToLiveSpecification none{.enabled = false, .attribute_name = "expires"};
  EXPECT_THAT(Open().Describe(), Is(kDisabled, "", false));
  {
    const Opened db = Open();
    ASSERT_THAT(db.Change(shown), IsOk());
    ASSERT_THAT(db.table->WaitForIndexes(), IsOk());
  }
  EXPECT_THAT(Open().Describe(), Is(kEnabled, "expires", false));
  ASSERT_THAT(Open().Change(hidden), IsOk());
  EXPECT_THAT(Open().Describe(), Is(kEnabled, "expires", true));
  EXPECT_THAT(Open().Change(hidden), IsInvalid("TimeToLive is already enabled"));
  ASSERT_THAT(Open().Change(none), IsOk());
  EXPECT_THAT(Open().Describe(), Is(kDisabled, "", false));
  EXPECT_THAT(Open().Change(none), IsInvalid("TimeToLive is already disabled"));
}

TEST_F(TimeToLiveOnDiskTest, ItemsExpireAfterReopening) {
  {
    const Opened db = Open();
    ASSERT_THAT(db.Change({.attribute_name = "expires", .hide_expired = true}), IsOk());
    ASSERT_THAT(db.table->PutItem({.item = Session("goes", In(seconds(10)))}), IsOk());
    ASSERT_THAT(db.table->PutItem({.item = Session("stays", In(seconds(20)))}), IsOk());
  }
  EXPECT_TRUE(Open().Finds("goes"));
  clock().Advance(seconds(11));
  {
    const Opened db = Open();
    EXPECT_FALSE(db.Finds("goes"));
    EXPECT_TRUE(db.Finds("stays"));
    EXPECT_THAT(db.table->ExpireNow(), IsOkAndHolds(1u));
  }
  const Opened db = Open();
  EXPECT_EQ(db.table->Scan({.options = {.hide_expired = false}})->count(), 1u);
  EXPECT_THAT(db.table->ExpireNow(), IsOkAndHolds(0u));
}

TEST_F(TimeToLiveOnDiskTest, EnablingResumesAfterReopening) {
  {
    const Opened db = Open();
    for (int i = 0; i < 1000; ++i) {
      ASSERT_THAT(db.table->PutItem({.item = Session(std::to_string(i), In(seconds(-1)))}), IsOk());
    }
    ASSERT_THAT(db.Change({.attribute_name = "expires"}), IsOk());
  }  // the database closes during the scan
  const Opened db = Open();
  ASSERT_THAT(db.table->WaitForIndexes(), IsOk());
  EXPECT_THAT(db.Describe(), Is(kEnabled, "expires", false));
  EXPECT_THAT(db.table->ExpireNow(), IsOkAndHolds(1000u));
}

}  // namespace
}  // namespace dolmen::behaviour
