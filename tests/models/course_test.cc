// Tests of the course platform's access patterns on its sample data: results, order, requests and
// units.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/models/course_fixture.h"

namespace dolmen::course {
namespace {

TEST_F(CourseTest, AProfileIsOneGetItem) {
  EXPECT_EQ(Value(platform_.GetStudent("s1")), (Student{.id = "s1",
                                                        .name = "Ana Souza",
                                                        .email = "ana@example.com",
                                                        .joined_at = Time("2024-09-01T00:00:00Z"),
                                                        .shard = StudentShard::OfHash("s1")}));
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
  EXPECT_THAT(platform_.GetStudent("s9"), StatusIs(StatusCode::kResourceNotFound,
                                                   "there is no STUDENT with student_id \"s9\""));
}

TEST_F(CourseTest, AStudentsCoursesAreOneQuery) {
  EXPECT_THAT(
      platform_.ListCourses("s1"),
      IsOkAndHolds(ElementsAre(
          StudentEnrolment{
              .id = {"s1", "c10"}, .enrolled_at = Time("2024-09-02T08:00:00Z"), .progress = 40},
          StudentEnrolment{
              .id = {"s1", "c20"}, .enrolled_at = Time("2024-09-03T08:00:00Z"), .progress = 5})));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(platform_.ListCourses("s3"), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(platform_.ListCourses("s9"), IsOkAndHolds(IsEmpty()));
}

TEST_F(CourseTest, ACoursesStudentsAreOneQueryOfTheIndex) {
  const auto page = Value(platform_.ListStudents("c10"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_EQ(page.next_cursor, "");
  EXPECT_THAT(page.items, ElementsAre(StudentEnrolment{.id = {"s1", "c10"},
                                                       .enrolled_at = Time("2024-09-02T08:00:00Z"),
                                                       .progress = 40},
                                      StudentEnrolment{.id = {"s2", "c10"},
                                                       .enrolled_at = Time("2024-09-04T08:00:00Z"),
                                                       .progress = 75}));
  EXPECT_THAT(Value(platform_.ListStudents("c30")).items, IsEmpty());
}

TEST_F(CourseTest, ListStudentsReturnsPages) {
  const auto first = Value(platform_.ListStudents("c10", {.limit = 1}));
  EXPECT_THAT(StudentIds(first.items), ElementsAre("s1"));
  const auto second =
      Value(platform_.ListStudents("c10", {.cursor = first.next_cursor, .limit = 1}));
  EXPECT_THAT(StudentIds(second.items), ElementsAre("s2"));
  EXPECT_EQ(second.next_cursor, "") << "nothing follows";
}

TEST_F(CourseTest, AttendanceIsOneQueryOfTheCoursesPartition) {
  const auto page = Value(platform_.ListAttendance("c10"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(page.items, ElementsAre(CourseEnrolment{.id = {"s1", "c10"},
                                                      .enrolled_at = Time("2024-09-02T08:00:00Z"),
                                                      .progress = 40,
                                                      .last_seen = Time("2024-09-02T08:00:00Z")},
                                      CourseEnrolment{.id = {"s2", "c10"},
                                                      .enrolled_at = Time("2024-09-04T08:00:00Z"),
                                                      .progress = 75,
                                                      .last_seen = Time("2024-09-04T08:00:00Z")}));
  const auto first = Value(platform_.ListAttendance("c10", {.limit = 1}));
  const auto second =
      Value(platform_.ListAttendance("c10", {.cursor = first.next_cursor, .limit = 1}));
  EXPECT_THAT(second.items, ElementsAre(page.items[1]));
}

TEST_F(CourseTest, AnInstructorsCoursesAreOneQueryOfTheIndex) {
  const auto courses = Value(platform_.ListCoursesOfInstructor("i5"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(Ids(courses), ElementsAre("c10", "c20"));
  EXPECT_EQ(courses[0], Value(platform_.GetCourse("c10")));
  EXPECT_THAT(platform_.ListCoursesOfInstructor("i9"), IsOkAndHolds(IsEmpty()));
}

TEST_F(CourseTest, TheWholeStructureIsATreeFromOneQuery) {
  const auto structure = Value(platform_.GetStructure("c10"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  ASSERT_EQ(structure.size(), 2U);
  EXPECT_EQ(structure[0].module,
            (Module{.course_id = "c10", .id = "m1", .title = "Keys", .order_num = 1}));
  EXPECT_THAT(structure[0].lessons, ElementsAre(Lesson{.course_id = "c10",
                                                       .module_id = "m1",
                                                       .id = "l1",
                                                       .title = "Partition keys",
                                                       .order_num = 1,
                                                       .duration_min = 12},
                                                Lesson{.course_id = "c10",
                                                       .module_id = "m1",
                                                       .id = "l2",
                                                       .title = "Sort keys",
                                                       .order_num = 2,
                                                       .duration_min = 15}));
  EXPECT_EQ(structure[1].module.id, "m2");
  EXPECT_THAT(Ids(structure[1].lessons), ElementsAre("l3"));
  EXPECT_THAT(platform_.GetStructure("c30"), IsOkAndHolds(IsEmpty()));
}

TEST_F(CourseTest, TheModulesAreOneQueryThatReadsNoLesson) {
  const auto modules = Value(platform_.ListModules("c10"));
  const std::vector<RequestTrace> asked = log_.Take();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].operation, "Query");
  EXPECT_THAT(asked[0].request, HasSubstr("begins_with(SK, \"CONTENT#MODULE#\")"));
  EXPECT_EQ(asked[0].total(), (Capacity{.read_units = 0.5}));
  EXPECT_THAT(Ids(modules), ElementsAre("m1", "m2"));
}

TEST_F(CourseTest, TheLessonsOfAModuleAreOneQuery) {
  const auto lessons = Value(platform_.ListLessons({.course_id = "c10", .id = "m1"}));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(Ids(lessons), ElementsAre("l1", "l2"));
  EXPECT_THAT(platform_.ListLessons({.course_id = "c20", .id = "m1"}), IsOkAndHolds(IsEmpty()))
      << "c20 has another module m1";
}

// GSI1 spreads the students over ten partition keys (shards). One Query reads all ten shards. Each
// shard costs at least half a unit.
TEST_F(CourseTest, AllStudentsByDateAreOneQueryOfTenShards) {
  const auto page = Value(platform_.ListAllStudents());
  EXPECT_EQ(Cost(log_), "Query, 5 read");
  EXPECT_THAT(Ids(page.items), ElementsAre("s3", "s2", "s1", "s4"));
  EXPECT_EQ(page.items[2], Value(platform_.GetStudent("s1")));

  EXPECT_THAT(Ids(Value(platform_.ListAllStudents(Time("2024-01-01T00:00:00Z"))).items),
              ElementsAre("s2", "s1", "s4"));
  EXPECT_THAT(Ids(Value(platform_.ListAllStudents(Time("2024-09-01T00:00:00Z"))).items),
              ElementsAre("s1", "s4"))
      << "the bound is inclusive";
  EXPECT_THAT(Value(platform_.ListAllStudents(Time("2025-01-01T00:00:00Z"))).items, IsEmpty());
}

TEST_F(CourseTest, ListAllStudentsReturnsPagesAcrossTheShards) {
  for (int i = 0; i < 40; ++i) {
    Value(platform_.RegisterStudent(
        {.id = "t" + std::to_string(i),
         .name = "T",
         .email = "t" + std::to_string(i) + "@example.com",
         .joined_at = Time("2025-01-01T00:00:00Z") + std::chrono::minutes(i * 37 % 40)}));
  }
  std::vector<Student> listed;
  std::map<std::int32_t, int> in_shard;
  PageInput input = {.limit = 7};
  int pages = 0;
  do {
    const auto page = Value(platform_.ListAllStudents(Time("2025-01-01T00:00:00Z"), input));
    EXPECT_LE(page.items.size(), 7U);
    listed.insert(listed.end(), page.items.begin(), page.items.end());
    input.cursor = page.next_cursor;
    ++pages;
  } while (!input.cursor.empty());
  EXPECT_EQ(pages, 6);
  ASSERT_EQ(listed.size(), 40U);
  for (std::size_t i = 0; i < listed.size(); ++i) {
    EXPECT_EQ(listed[i].joined_at, Time("2025-01-01T00:00:00Z") + std::chrono::minutes(i));
    EXPECT_EQ(listed[i].shard, StudentShard::OfHash(listed[i].id));
    ++in_shard[listed[i].shard.number()];
  }
  EXPECT_EQ(in_shard.size(), std::size_t{StudentShard::kCount}) << "no shard is left out";
}

// Several students have the same GSI1SK. The cursor also holds the primary key, which tells these
// students apart.
TEST_F(CourseTest, StudentsWhoJoinedAtTheSameTimeAreListedOnce) {
  std::set<std::string> expected;
  for (int i = 0; i < 40; ++i) {
    const std::string id = "t" + std::to_string(i);
    Value(platform_.RegisterStudent({.id = id,
                                     .name = "T",
                                     .email = "t" + std::to_string(i) + "@example.com",
                                     .joined_at = clock_->Now()}));
    expected.insert(id);
  }
  std::vector<std::string> listed;
  PageInput input = {.limit = 7};
  do {
    const auto page = Value(platform_.ListAllStudents(clock_->Now(), input));
    for (const Student& student : page.items) listed.push_back(student.id);
    input.cursor = page.next_cursor;
  } while (!input.cursor.empty());
  EXPECT_EQ(listed.size(), 40U);
  EXPECT_EQ(std::set(listed.begin(), listed.end()), expected);
}

}  // namespace
}  // namespace dolmen::course
