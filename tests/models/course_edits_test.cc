// Tests of edits, moves and removals in the course platform, and of its unique addresses.

#include <gtest/gtest.h>

#include "tests/models/course_fixture.h"

namespace dolmen::course {
namespace {

TEST_F(CourseTest, StudentsCoursesModulesAndLessonsCanBeEdited) {
  EXPECT_EQ(
      Value(platform_.Edit(Student{.id = "s1"}, Changes<Student>().Set<&Student::name>("Ana Lima")))
          .name,
      "Ana Lima");
  Value(platform_.Edit(Course{.id = "c10"}, Changes<Course>().Set<&Course::instructor_id>("i6")));
  EXPECT_THAT(Ids(Value(platform_.ListCoursesOfInstructor("i6"))), ElementsAre("c10", "c30"));
  Value(platform_.Edit(Module{.course_id = "c10", .id = "m1"},
                       Changes<Module>().Set<&Module::title>("All about keys")));
  Value(platform_.Edit(Lesson{.course_id = "c10", .module_id = "m1", .id = "l1"},
                       Changes<Lesson>().Set<&Lesson::duration_min>(14)));
  const auto structure = Value(platform_.GetStructure("c10"));
  EXPECT_EQ(structure[0].module.title, "All about keys");
  EXPECT_EQ(structure[0].lessons[0].duration_min, 14);
  EXPECT_THAT(platform_.Edit(Course{.id = "c99"}, Changes<Course>().Set<&Course::title>("T")),
              StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(CourseTest, AnAddressBelongsToOneStudent) {
  const Student twin = {.name = "Ana Twin", .email = "ana@example.com"};
  EXPECT_THAT(platform_.RegisterStudent(twin),
              StatusIs(StatusCode::kResourceInUse, "email ana@example.com is taken"));
  const auto to_anas = Changes<Student>().Set<&Student::email>("ana@example.com");
  EXPECT_THAT(platform_.Edit(Student{.id = "s2"}, to_anas),
              StatusIs(StatusCode::kResourceInUse, "email ana@example.com is taken"));

  Value(platform_.Edit(Student{.id = "s1"}, Changes<Student>().Set<&Student::email>("a@b.org")));
  EXPECT_THAT(platform_.RegisterStudent(twin), IsOk()) << "the former address is free";
}

TEST_F(CourseTest, AnAddressIsStoredInLowerCase) {
  for (const std::string bad : {"Eva@example.com", "eva", "", "e va@example.com"}) {
    EXPECT_THAT(platform_.RegisterStudent({.name = "Eva", .email = bad}),
                StatusIs(StatusCode::kValidation, HasSubstr("is not a lower-case address")));
  }
}

TEST_F(CourseTest, ALessonMovesToAnotherModule) {
  const Lesson key = {.course_id = "c10", .module_id = "m1", .id = "l2"};
  EXPECT_THAT(platform_.MoveLesson(key, "m2", 2), IsOk());
  EXPECT_EQ(Cost(log_), "GetItem, TransactWriteItems, 0.5 read, 6 write");
  const auto structure = Value(platform_.GetStructure("c10"));
  EXPECT_THAT(Ids(structure[0].lessons), ElementsAre("l1"));
  EXPECT_THAT(Ids(structure[1].lessons), ElementsAre("l3", "l2"));
  EXPECT_EQ(structure[1].lessons[1].title, "Sort keys");
  EXPECT_THAT(platform_.MoveLesson(key, "m2", 2), StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(CourseTest, ALessonMovesOnlyToAModuleWithoutItsId) {
  const Lesson key = {.course_id = "c10", .module_id = "m1", .id = "l1"};
  EXPECT_THAT(platform_.MoveLesson(key, "m9", 1),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("MODULE")));
  Value(platform_.AddLesson({.course_id = "c10", .module_id = "m2", .id = "l1"}));
  EXPECT_THAT(platform_.MoveLesson(key, "m2", 1),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("LESSON")));
  EXPECT_THAT(Ids(Value(platform_.ListLessons({.course_id = "c10", .id = "m1"}))),
              ElementsAre("l1", "l2"));
}

TEST_F(CourseTest, ARemovedLessonIsGone) {
  const Lesson key = {.course_id = "c10", .module_id = "m1", .id = "l1"};
  EXPECT_THAT(platform_.RemoveLesson(key), IsOk());
  EXPECT_EQ(Cost(log_), "DeleteItem, 1 write");
  EXPECT_THAT(Ids(Value(platform_.ListLessons({.course_id = "c10", .id = "m1"}))),
              ElementsAre("l2"));
  EXPECT_THAT(platform_.RemoveLesson(key), StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(CourseTest, ARemovedModuleTakesItsLessonsAlong) {
  const Module key = {.course_id = "c10", .id = "m1"};
  EXPECT_THAT(platform_.RemoveModule(key), IsOk());
  EXPECT_EQ(Cost(log_), "BatchWriteItem, Query, BatchWriteItem, 0.5 read, 3 write");
  EXPECT_THAT(platform_.ListLessons(key), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(Ids(Value(platform_.ListModules("c10"))), ElementsAre("m2"));
  EXPECT_THAT(Ids(Value(platform_.ListModules("c20"))), ElementsAre("m1"));
  EXPECT_THAT(platform_.RemoveModule(key), IsOk()) << "the call can be repeated";
}

TEST_F(CourseTest, ARemovedCourseTakesItsContentAndEnrolmentsAlong) {
  EXPECT_THAT(platform_.RemoveCourse("c10"), IsOk());
  EXPECT_THAT(platform_.GetCourse("c10"), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(platform_.GetStructure("c10"), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(Value(platform_.ListStudents("c10")).items, IsEmpty());
  EXPECT_THAT(Value(platform_.ListAttendance("c10")).items, IsEmpty());
  EXPECT_EQ(Value(platform_.ListCourses("s1")).size(), 1U) << "c20 stays";
  EXPECT_THAT(Ids(Value(platform_.ListCoursesOfInstructor("i5"))), ElementsAre("c20"));
  EXPECT_THAT(platform_.RemoveCourse("c10"), IsOk()) << "the call can be repeated";
}

TEST_F(CourseTest, ARemovedStudentTakesEnrolmentsAndAddressAlong) {
  EXPECT_THAT(platform_.RemoveStudent("s1"), IsOk());
  EXPECT_THAT(platform_.GetStudent("s1"), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(platform_.ListCourses("s1"), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(StudentIds(Value(platform_.ListStudents("c10")).items), ElementsAre("s2"));
  EXPECT_EQ(Value(platform_.ListAttendance("c10")).items.size(), 1U);
  EXPECT_THAT(platform_.RegisterStudent({.name = "Ana", .email = "ana@example.com"}), IsOk());
  EXPECT_THAT(platform_.RemoveStudent("s1"), IsOk()) << "the call can be repeated";
}

TEST_F(CourseTest, VerifyEnrolmentsFindsALostEdge) {
  EXPECT_EQ(Value(platform_.VerifyEnrolments()).items_failed, 0U);
  EXPECT_EQ(Value(platform_.VerifyEnrolments()).items_read, 6U);
  // A program that forgets the inverse edge, the document's first pitfall.
  const Table table = Value(database_.OpenTable(Platform::kTableName));
  EXPECT_THAT(table.DeleteItem({.key = {{"PK", "COURSE#c10"}, {"SK", "ENROLLMENT#STUDENT#s1"}}}),
              IsOk());
  const MigrationProgress found = Value(platform_.VerifyEnrolments());
  EXPECT_EQ(found.items_failed, 1U);
  EXPECT_THAT(found.failures,
              ElementsAre(StatusIs(StatusCode::kCorruption, HasSubstr("direction of the edge"))));
}

}  // namespace
}  // namespace dolmen::course
