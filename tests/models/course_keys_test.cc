// Tests that show why the keys of models/course differ from the keys of the published pattern. The
// tests run the same queries on items with the published keys and on items of models/course.

#include <gtest/gtest.h>

#include "tests/models/course_fixture.h"

namespace dolmen::course {
namespace {

// A course with ten modules and one enrolment, stored under the published keys. The modules m1 and
// m10 have a lesson each.
class PublishedKeysTest : public testing::Test {
 protected:
  PublishedKeysTest() {
    for (int i = 1; i <= 10; ++i) Put("COURSE#c10", "MODULE#m" + std::to_string(i));
    Put("COURSE#c10", "MODULE#m1#LESSON#l1");
    Put("COURSE#c10", "MODULE#m10#LESSON#l9");
    Put("STUDENT#s1", "ENROLLMENT#c10", "COURSE#c10", "STUDENT#s1");
    Put("COURSE#c10", "ENROLLMENT#STUDENT#s1", "COURSE#c10", "STUDENT#s1");
  }

  void Put(const std::string& partition, const std::string& sort,
           const std::string& index_partition = {}, const std::string& index_sort = {}) {
    Item item = {{"PK", partition}, {"SK", sort}};
    if (!index_partition.empty()) {
      item["GSI1PK"] = index_partition;
      item["GSI1SK"] = index_sort;
    }
    EXPECT_THAT(table_.PutItem({.item = std::move(item)}), IsOk());
  }

  std::vector<std::string> SortKeys(const QueryInput& input) {
    std::vector<std::string> keys;
    for (const QueryOutput page = Value(table_.Query(input)); const ItemView item : page) {
      keys.emplace_back(item["SK"].AsString().value_or(""));
    }
    return keys;
  }

  static Table Make(const Database& database) {
    CreateTableInput input;
    input.name = "published";
    input.global_secondary_indexes.push_back(GlobalSecondaryIndex::Overloaded("GSI1"));
    return Value(database.CreateTable(input));
  }

  Database database_ = Value(Database::InMemory());
  Table table_ = Make(database_);
};

TEST_F(PublishedKeysTest, PublishedKeysHaveNoPrefixForModulesAlone) {
  const auto found = SortKeys({.key_condition = Partition("COURSE#c10", BeginsWith("MODULE#"))});
  EXPECT_EQ(found.size(), 12U) << "ten modules, and two lessons that were not wanted";
  EXPECT_EQ(found[1], "MODULE#m1#LESSON#l1");
}

TEST_F(PublishedKeysTest, PublishedModulePrefixFindsAnotherModuleToo) {
  EXPECT_THAT(
      SortKeys({.key_condition = Partition("COURSE#c10", BeginsWith("MODULE#m1"))}),
      ElementsAre("MODULE#m1", "MODULE#m1#LESSON#l1", "MODULE#m10", "MODULE#m10#LESSON#l9"));
}

TEST_F(PublishedKeysTest, BothEdgesInTheIndexListEachStudentTwice) {
  EXPECT_THAT(
      SortKeys({.index = "GSI1", .key_condition = Partition("COURSE#c10", BeginsWith("STUDENT#"))}),
      testing::UnorderedElementsAre("ENROLLMENT#c10", "ENROLLMENT#STUDENT#s1"));
}

// A course with the data of PublishedKeysTest, stored under the keys of models/course.
class CourseKeysTest : public CourseTest {
 protected:
  CourseKeysTest() {
    Value(platform_.CreateCourse({.id = "c1", .instructor_id = "i1", .title = "Ten modules"}));
    for (int i = 1; i <= 10; ++i) {
      Value(platform_.AddModule(
          {.course_id = "c1", .id = "m" + std::to_string(i), .title = "T", .order_num = i}));
    }
    Value(platform_.AddLesson({.course_id = "c1", .module_id = "m1", .id = "l1"}));
    Value(platform_.AddLesson({.course_id = "c1", .module_id = "m10", .id = "l9"}));
    EXPECT_THAT(platform_.Enrol({"s1", "c1"}), IsOk());
  }
};

TEST_F(CourseKeysTest, ListModulesReturnsNoLessons) {
  EXPECT_THAT(Ids(Value(platform_.ListModules("c1"))),
              ElementsAre("m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10"));
}

TEST_F(CourseKeysTest, ListLessonsReturnsTheLessonsOfOneModule) {
  EXPECT_THAT(Ids(Value(platform_.ListLessons({.course_id = "c1", .id = "m1"}))),
              ElementsAre("l1"));
  EXPECT_THAT(Ids(Value(platform_.ListLessons({.course_id = "c1", .id = "m10"}))),
              ElementsAre("l9"));
}

TEST_F(CourseKeysTest, GetStructureReturnsAllModulesAndLessonsOnly) {
  const auto structure = Value(platform_.GetStructure("c1"));
  ASSERT_EQ(structure.size(), 10U);
  EXPECT_THAT(Ids(structure[0].lessons), ElementsAre("l1"));
  EXPECT_THAT(Ids(structure[9].lessons), ElementsAre("l9"));
  for (std::size_t i = 1; i < 9; ++i) EXPECT_THAT(structure[i].lessons, IsEmpty());
}

TEST_F(CourseKeysTest, OneEdgeInTheIndexListsEachStudentOnce) {
  EXPECT_THAT(StudentIds(Value(platform_.ListStudents("c1")).items), ElementsAre("s1"));
}

// RemoveModule removes the module before its lessons. A reader between the two sees neither.
TEST_F(CourseKeysTest, ALessonWithoutItsModuleIsLeftOut) {
  const auto structure = Value(platform_.GetStructure("c1"));
  Value(table_.Create(Lesson{.course_id = "c1", .module_id = "gone", .id = "l5"}));
  EXPECT_THAT(platform_.GetStructure("c1"), IsOkAndHolds(structure));
}

}  // namespace
}  // namespace dolmen::course
