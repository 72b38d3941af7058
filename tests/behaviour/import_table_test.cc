// Tests of Database::ImportTable.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataImport.HowItWorks.html

#include <filesystem>
#include <optional>
#include <vector>

#include "tests/behaviour/recovery_fixture.h"
#include "tests/support/contents.h"
#include "tests/support/random.h"

namespace dolmen::behaviour {
namespace {

class ImportTableTest : public RecoveryTest {
 protected:
  // Returns a function that returns the items one after the other.
  static ItemSource Each(std::vector<Item> items) {
    return [items = std::move(items), at = std::size_t{0}](Item* item) mutable -> Result<bool> {
      if (at == items.size()) return false;
      *item = items[at++];
      return true;
    };
  }

  static CreateTableInput NewTable() {
    return {.name = "new", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}};
  }

  Result<ImportTableOutput> Import(std::vector<Item> items) const {
    return database_.ImportTable({.table = NewTable(), .next_item = Each(std::move(items))});
  }

  bool Exists() const { return database_.OpenTable("new").ok(); }
};

INSTANTIATE_TEST_SUITE_P(Places, ImportTableTest, testing::Bool(), [](const auto& on_disk) {
  return std::string(on_disk.param ? "OnDisk" : "InMemory");
});

TEST_P(ImportTableTest, TableHasTheItemsInWhateverOrderTheyCome) {
  const auto imported = Import({ItemOf("b", 2), ItemOf("c", 3), ItemOf("a", 1)});
  ASSERT_THAT(imported, IsOk());
  EXPECT_EQ(imported->items, 3u);
  EXPECT_TRUE(imported->complete);
  EXPECT_THAT(Read("new"), ElementsAre("a=1", "b=2", "c=3"));
  EXPECT_THAT(Read("new", "GSI1"), ElementsAre("a=1", "b=2", "c=3"));
}

TEST_P(ImportTableTest, OfSeveralItemsWithOneKeyTheLastCounts) {
  Item moved = ItemOf("a", 1);
  moved["GSI1SK"] = "z";
  const auto imported = Import({moved, ItemOf("b", 2), ItemOf("a", 3)});
  EXPECT_EQ(test::Value(imported).items, 2u);
  EXPECT_THAT(Read("new", "GSI1"), ElementsAre("a=3", "b=2"));
  EXPECT_EQ(test::Value(database_.Verify()).finding_count, 0u);
}

TEST_P(ImportTableTest, TableCanBeWrittenAndIsThereAfterTheDatabaseIsOpenedAgain) {
  ASSERT_THAT(Import({ItemOf("a", 1), ItemOf("b", 2)}), IsOk());
  {
    const Table table = test::Value(database_.OpenTable("new"));
    ASSERT_THAT(table.PutItem({.item = ItemOf("a", 5)}), IsOk());
    ASSERT_THAT(table.DeleteItem({.key = {{"PK", "p"}, {"SK", "b"}}}), IsOk());
  }
  if (is_on_disk()) Reopen();
  EXPECT_THAT(Read("new"), ElementsAre("a=5"));
  EXPECT_THAT(Read("new", "GSI1"), ElementsAre("a=5"));
}

TEST_P(ImportTableTest, AnEmptyImportCreatesAnEmptyTable) {
  EXPECT_EQ(test::Value(Import({})).items, 0u);
  EXPECT_THAT(Read("new"), ElementsAre());
}

TEST_P(ImportTableTest, TableIsCreatingUntilTheImportEnds) {
  std::string status;
  const auto next = [&](Item*) -> Result<bool> {
    const auto described = database_.DescribeTable("new");
    status = described.ok() && described->status == TableStatus::kCreating ? "creating" : "other";
    EXPECT_EQ(database_.OpenTable("new").status().code(), StatusCode::kResourceNotFound);
    EXPECT_EQ(database_.CreateTable(NewTable()).status().code(), StatusCode::kResourceInUse);
    return false;
  };
  ASSERT_THAT(database_.ImportTable({.table = NewTable(), .next_item = next}), IsOk());
  EXPECT_EQ(status, "creating");
  EXPECT_TRUE(Exists());
}

TEST_P(ImportTableTest, AnItemThatTheTableCannotHoldEndsTheImport) {
  Item wrong = ItemOf("b", 2);
  wrong["GSI1SK"] = 7;
  const auto imported = Import({ItemOf("a", 1), wrong});
  EXPECT_THAT(imported.status(), StatusIs(StatusCode::kValidation, testing::HasSubstr("GSI1SK")));
  EXPECT_FALSE(Exists());
  ASSERT_THAT(Import({ItemOf("c", 3)}), IsOk());
  EXPECT_THAT(Read("new", "GSI1"), ElementsAre("c=3"));
}

TEST_P(ImportTableTest, AHandlerMayLetTheImportGoOnWithoutAnItem) {
  std::vector<std::string> reasons;
  const auto imported =
      database_.ImportTable({.table = NewTable(),
                             .next_item = Each({ItemOf("a", 1), {{"PK", "p"}}, ItemOf("b", 2)}),
                             .on_rejected = [&](const Status& reason) -> Status {
                               reasons.push_back(reason.message());
                               return {};
                             }});
  EXPECT_EQ(test::Value(imported).items, 2u);
  EXPECT_THAT(reasons, ElementsAre("The provided key element does not match the schema"));
  EXPECT_THAT(Read("new"), ElementsAre("a=1", "b=2"));
}

TEST_P(ImportTableTest, AnErrorOfTheSourceLeavesNoTable) {
  int calls = 0;
  const auto next = [&](Item* item) -> Result<bool> {
    if (++calls == 3) return Status::Storage("the input cannot be read");
    *item = ItemOf("a", calls);
    return true;
  };
  const auto imported = database_.ImportTable({.table = NewTable(), .next_item = next});
  EXPECT_EQ(imported.status().message(), "the input cannot be read");
  EXPECT_FALSE(Exists());
}

TEST_P(ImportTableTest, TheProgressHandlerMayEndTheImport) {
  const auto imported =
      database_.ImportTable({.table = NewTable(),
                             .next_item = Each({ItemOf("a", 1)}),
                             .progress = [](const CopyProgress&) { return false; }});
  EXPECT_FALSE(test::Value(imported).complete);
  EXPECT_FALSE(Exists());
}

TEST_P(ImportTableTest, ANameThatATableHasIsRefused) {
  ASSERT_THAT(Import({}), IsOk());
  EXPECT_THAT(Import({}).status(), StatusIs(StatusCode::kTableAlreadyExists, testing::_));
}

// The write buffer is so small that the sort writes more files than it reads at once.
TEST_P(ImportTableTest, ATableMayBeMuchLargerThanTheMemory) {
  test::Random random(31);
  OpenOptions options{.durability = Durability::kBuffered, .write_buffer_bytes = 64 << 10};
  if (is_on_disk()) options.encryption_key = EncryptionKey{std::byte{7}};
  const std::string directory = directory_ / "small";
  const auto open = [&] {
    return test::Value(is_on_disk() ? Database::Open(directory, options)
                                    : Database::InMemory(options));
  };
  std::optional<Database> database = open();
  test::Contents expected;
  int left = 40'000;
  const auto next = [&](Item* item) -> Result<bool> {
    if (left-- == 0) return false;
    *item = ItemOf(std::to_string(random.Below(30'000)), left);
    (*item)["GSI1SK"] = std::to_string(random.Below(1'000'000));
    expected[{"p", *item->at("SK").get_if<std::string>()}] = *item;
    return true;
  };
  std::vector<double> progress;
  const auto imported = database->ImportTable(
      {.table = NewTable(), .next_item = next, .progress = [&](const CopyProgress& done) {
         progress.push_back(done.fraction);
         return true;
       }});
  EXPECT_EQ(test::Value(imported).items, expected.size());
  EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end()));
  EXPECT_GT(progress.size(), 3u);
  for (const bool again : {false, true}) {
    if (again && !is_on_disk()) break;
    if (again) {
      database.reset();
      database = open();
      EXPECT_FALSE(std::filesystem::exists(directory + "/imports"));
    }
    const Table table = test::Value(database->OpenTable("new"));
    EXPECT_EQ(test::ReadContents(table), expected);
    EXPECT_EQ(test::ReadContents(table, "GSI1"), expected);
    EXPECT_EQ(test::Value(database->Verify()).finding_count, 0u);
  }
}

}  // namespace
}  // namespace dolmen::behaviour
