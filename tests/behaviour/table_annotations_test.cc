// Tests of the annotations that callers keep with a table. DynamoDB has no annotations. Dolmen's
// wire protocol stores tags and other table settings in them.

#include <optional>
#include <string>

#include "tests/behaviour/fixture.h"
#include "tests/support/temp_directory.h"

namespace dolmen::behaviour {
namespace {

class TableAnnotationsTest : public testing::Test {
 protected:
  void SetUp() override { Open(); }

  void Open() {
    db_.reset();
    auto db = Database::Open(directory_ / "db");
    ASSERT_THAT(db, IsOk());
    db_ = *std::move(db);
  }

  Map Described() {
    const auto description = db_->DescribeTable("things");
    EXPECT_THAT(description, IsOk());
    return description.ok() ? description->annotations : Map();
  }

  const Map first_ = {{"tags", Map{{"team", "blue"}, {"", nullptr}}}, {"billing", "PROVISIONED"}};
  const Map second_ = {{"tags", List{1, 2}}};
  std::optional<Database> db_;

 private:
  const test::TempDirectory directory_;
};

TEST_F(TableAnnotationsTest, AnnotationsSurviveReopening) {
  ASSERT_THAT(db_->CreateTable({.name = "things", .annotations = first_}), IsOk());
  EXPECT_EQ(Described(), first_);
  Open();
  EXPECT_EQ(Described(), first_);
}

TEST_F(TableAnnotationsTest, UpdateTableReplacesAllAnnotations) {
  ASSERT_THAT(db_->CreateTable({.name = "things"}), IsOk());
  EXPECT_EQ(Described(), Map());
  const auto updated = db_->UpdateTable({.name = "things", .annotations = first_});
  ASSERT_THAT(updated, IsOk());
  EXPECT_EQ(updated->annotations, first_);
  ASSERT_THAT(db_->UpdateTable({.name = "things", .annotations = second_}), IsOk());
  EXPECT_EQ(Described(), second_);
  Open();
  EXPECT_EQ(Described(), second_);
  ASSERT_THAT(db_->UpdateTable({.name = "things", .annotations = Map()}), IsOk());
  Open();
  EXPECT_EQ(Described(), Map());
}

// Dolmen's own annotations begin with "dolmen:" and hold, for example, a table's tags. A caller
// replaces the annotations of a table but keeps those of Dolmen, unless the caller names them.
TEST_F(TableAnnotationsTest, DolmensAnnotationsStayUnlessTheUpdateNamesThem) {
  const Map both = {{"owner", "ann"}, {"dolmen:a", 1}, {"dolmen:b", 2}};
  ASSERT_THAT(db_->CreateTable({.name = "things", .annotations = both}), IsOk());
  const auto update = [&](const Map& annotations) {
    EXPECT_THAT(db_->UpdateTable({.name = "things", .annotations = annotations}), IsOk());
    return Described();
  };
  EXPECT_EQ(update({}), (Map{{"dolmen:a", 1}, {"dolmen:b", 2}}));
  EXPECT_EQ(update({{"dolmen:a", 3}, {"owner", "bob"}}),
            (Map{{"dolmen:a", 3}, {"dolmen:b", 2}, {"owner", "bob"}}));
  EXPECT_EQ(update({{"dolmen:a", nullptr}, {"owner", nullptr}}),
            (Map{{"dolmen:b", 2}, {"owner", nullptr}}));
  Open();
  EXPECT_EQ(Described(), (Map{{"dolmen:b", 2}, {"owner", nullptr}}));
  // The annotations of the caller and of Dolmen have a limit of 400 KB together.
  EXPECT_THAT(db_->UpdateTable(
                  {.name = "things", .annotations = Map{{"a", std::string(400 * 1024 - 1, 'x')}}}),
              StatusIs(kValidation, HasSubstr("at most 400 KB")));
}

TEST_F(TableAnnotationsTest, AnnotationsStayWhenSomethingElseChanges) {
  const auto table = db_->CreateTable({.name = "things", .annotations = first_});
  ASSERT_THAT(table, IsOk());
  const auto index = GlobalSecondaryIndex::Overloaded("GSI1");
  ASSERT_THAT(db_->UpdateTable({.name = "things", .create_index = index}), IsOk());
  ASSERT_THAT(table->WaitForIndexes(), IsOk());
  const TimeToLiveSpecification ttl = {.attribute_name = "ttl"};
  ASSERT_THAT(db_->UpdateTimeToLive({.table_name = "things", .specification = ttl}), IsOk());
  ASSERT_THAT(db_->UpdateTable({.name = "things", .deletion_protection = true}), IsOk());
  EXPECT_EQ(Described(), first_);
  ASSERT_THAT(db_->UpdateTable({.name = "things", .delete_index = "GSI1", .annotations = second_}),
              IsOk());
  EXPECT_EQ(Described(), second_);
  EXPECT_THAT(db_->DescribeTable("things")->global_secondary_indexes, IsEmpty());
}

TEST_F(TableAnnotationsTest, AnnotationsHaveTheLimitsOfAnItem) {
  const auto refused = [&](const Map& annotations, const std::string& why) {
    EXPECT_THAT(db_->CreateTable({.name = "others", .annotations = annotations}),
                StatusIs(kValidation, HasSubstr(why)));
    EXPECT_THAT(db_->UpdateTable({.name = "things", .annotations = annotations}),
                StatusIs(kValidation, HasSubstr(why)));
  };
  const Map largest = {{"a", std::string(400 * 1024 - 1, 'x')}};
  ASSERT_THAT(db_->CreateTable({.name = "things", .annotations = largest}), IsOk());
  refused({{"a", std::string(400 * 1024, 'x')}}, "at most 400 KB");
  refused({{"a", StringSet{}}}, "An string set  may not be empty");
  refused({{"a", "\xFF"}}, "not valid UTF-8");
  AttributeValue deep = 1;
  for (int i = 0; i < 40; ++i) deep = List{deep};
  refused({{"a", deep}}, "Nesting Levels have exceeded supported limits");
  EXPECT_EQ(Described(), largest);
  EXPECT_THAT(db_->OpenTable("others"), StatusIs(StatusCode::kResourceNotFound, testing::_));
}

}  // namespace
}  // namespace dolmen::behaviour
