// Tests of the course platform's writes and their errors.

#include <gtest/gtest.h>

#include "tests/models/course_fixture.h"

namespace dolmen::course {
namespace {

TEST_F(CourseTest, LoadingTheSampleAgainRestoresIt) {
  const auto before = Edges({"s1", "c10"});
  EXPECT_THAT(platform_.SetProgress({"s1", "c10"}, 90), IsOk());
  EXPECT_THAT(platform_.Edit(Student{.id = "s1"}, Changes<Student>().Set<&Student::email>("a@b")),
              IsOk());
  EXPECT_THAT(LoadSampleData(platform_), IsOk());
  EXPECT_EQ(Edges({"s1", "c10"}), before);
  EXPECT_EQ(Value(platform_.GetStudent("s1")).email, "ana@example.com");
  EXPECT_EQ(Value(platform_.ListAllStudents()).items.size(), 4U);
}

TEST_F(CourseTest, ANewItemGetsAnIdAndTheTime) {
  const Student student =
      Value(platform_.RegisterStudent({.name = "Eva", .email = "eva@example.com"}));
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 6 write") << "the item, its index entry, the claim";
  EXPECT_EQ(student.joined_at, clock_->Now());
  EXPECT_EQ(Value(UlidTime(student.id)), clock_->Now());
  EXPECT_EQ(Value(platform_.GetStudent(student.id)), student);

  log_.Take();
  const Course course = Value(platform_.CreateCourse({.instructor_id = "i5", .title = "New"}));
  EXPECT_EQ(Cost(log_), "PutItem, 2 write");
  const Module module = Value(platform_.AddModule({.course_id = course.id, .title = "First"}));
  const Lesson lesson = Value(platform_.AddLesson(
      {.course_id = course.id, .module_id = module.id, .title = "Only", .duration_min = 5}));
  EXPECT_THAT(platform_.GetStructure(course.id),
              IsOkAndHolds(ElementsAre(ModuleWithLessons{.module = module, .lessons = {lesson}})));
}

TEST_F(CourseTest, CreatingAnExistingItemIsRejected) {
  EXPECT_THAT(platform_.RegisterStudent({.id = "s1", .name = "X", .email = "x@example.com"}),
              StatusIs(StatusCode::kResourceInUse, _));
  EXPECT_THAT(platform_.CreateCourse({.id = "c10", .instructor_id = "i9", .title = "X"}),
              StatusIs(StatusCode::kResourceInUse, _));
  EXPECT_THAT(platform_.AddModule({.course_id = "c10", .id = "m1", .order_num = 9}),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("MODULE")))
      << "order_num is not part of the key";
  EXPECT_THAT(platform_.Enrol({"s1", "c10"}),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("there is an ENROLLMENT")));
  EXPECT_THAT(platform_.AddLesson({.course_id = "c10", .module_id = "m1", .id = "l1"}),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("LESSON")));
  EXPECT_EQ(Value(platform_.GetStudent("s1")).name, "Ana Souza");
  EXPECT_EQ(Value(platform_.GetCourse("c10")).instructor_id, "i5");
}

TEST_F(CourseTest, AddingContentRequiresItsCourseAndModule) {
  EXPECT_THAT(platform_.AddModule({.course_id = "c99", .id = "m1"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("COURSE")));
  EXPECT_THAT(platform_.AddLesson({.course_id = "c10", .module_id = "m9", .id = "l9"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("MODULE")));
  EXPECT_THAT(platform_.GetStructure("c99"), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(platform_.ListLessons({.course_id = "c10", .id = "m9"}), IsOkAndHolds(IsEmpty()));
}

TEST_F(CourseTest, AddingContentIsATransactionWithACheck) {
  Value(platform_.AddModule({.course_id = "c10", .id = "m3", .title = "T", .order_num = 3}));
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 4 write");
  Value(platform_.AddLesson({.course_id = "c10", .module_id = "m3", .id = "l1"}));
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 4 write");
}

// The ids do not decide the order: as text, "m10" would sort before "m2".
TEST_F(CourseTest, OrderNumDecidesTheOrder) {
  Value(platform_.AddModule({.course_id = "c10", .id = "m10", .title = "Last", .order_num = 10}));
  EXPECT_THAT(Ids(Value(platform_.ListModules("c10"))), ElementsAre("m1", "m2", "m10"));

  log_.Take();
  EXPECT_THAT(platform_.Edit(Module{.course_id = "c10", .id = "m10"},
                             Changes<Module>().Set<&Module::order_num>(0)),
              IsOk());
  EXPECT_EQ(Cost(log_), "UpdateItem, 1 write");
  EXPECT_THAT(Ids(Value(platform_.ListModules("c10"))), ElementsAre("m10", "m1", "m2"));

  EXPECT_THAT(platform_.Edit(Lesson{.course_id = "c10", .module_id = "m1", .id = "l1"},
                             Changes<Lesson>().Set<&Lesson::order_num>(3)),
              IsOk());
  EXPECT_THAT(Ids(Value(platform_.ListLessons({.course_id = "c10", .id = "m1"}))),
              ElementsAre("l2", "l1"));
  const auto structure = Value(platform_.GetStructure("c10"));
  EXPECT_EQ(structure[0].module.id, "m10");
  EXPECT_THAT(Ids(structure[1].lessons), ElementsAre("l2", "l1"));
  EXPECT_THAT(platform_.Edit(Module{.course_id = "c10", .id = "m9"},
                             Changes<Module>().Set<&Module::order_num>(1)),
              StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(CourseTest, EnrollingWritesBothEdgesInOneTransaction) {
  const EnrolmentId id = {"s3", "c10"};
  EXPECT_THAT(platform_.Enrol(id), IsOk());
  // Two edges, one index entry and two condition checks cost 5 units. A transaction doubles the
  // cost.
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 10 write");

  const auto [of_student, of_course] = Edges(id);
  EXPECT_EQ(of_student, (StudentEnrolment{.id = id, .enrolled_at = clock_->Now()}));
  EXPECT_EQ(of_course,
            (CourseEnrolment{.id = id, .enrolled_at = clock_->Now(), .last_seen = clock_->Now()}));
  EXPECT_EQ(Value(platform_.ListCourses("s3")).size(), 1U);
  EXPECT_THAT(StudentIds(Value(platform_.ListStudents("c10")).items),
              ElementsAre("s1", "s2", "s3"));
}

TEST_F(CourseTest, ASecondEnrolmentIsRejected) {
  clock_->Advance(std::chrono::hours(1));
  const auto before = Edges({"s1", "c10"});
  EXPECT_THAT(platform_.Enrol({"s1", "c10"}), StatusIs(StatusCode::kResourceInUse, _));
  EXPECT_EQ(Edges({"s1", "c10"}), before);
}

TEST_F(CourseTest, EnrollingRequiresTheStudentAndTheCourse) {
  EXPECT_THAT(
      platform_.Enrol({"s9", "c10"}),
      StatusIs(StatusCode::kResourceNotFound, "there is no STUDENT with student_id \"s9\""));
  EXPECT_THAT(platform_.Enrol({"s1", "c99"}),
              StatusIs(StatusCode::kResourceNotFound, "there is no COURSE with course_id \"c99\""));
  EXPECT_THAT(platform_.ListCourses("s9"), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(Value(platform_.ListAttendance("c99")).items, IsEmpty());
}

TEST_F(CourseTest, SetProgressUpdatesBothEdges) {
  const EnrolmentId id = {"s1", "c10"};
  EXPECT_THAT(platform_.SetProgress(id, 80), IsOk());
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 6 write") << "two edges and the index, doubled";
  const auto [of_student, of_course] = Edges(id);
  EXPECT_EQ(of_student->progress, 80);
  EXPECT_EQ(of_course->progress, 80);
  EXPECT_EQ(Value(platform_.ListStudents("c10")).items[0].progress, 80);
}

TEST_F(CourseTest, SetProgressRequiresAPercentageAndAnEnrolment) {
  const auto before = Edges({"s1", "c10"});
  EXPECT_THAT(platform_.SetProgress({"s1", "c10"}, 101),
              StatusIs(StatusCode::kValidation, HasSubstr("is not from 0 to 100 per cent")));
  EXPECT_THAT(platform_.SetProgress({"s1", "c10"}, -1),
              StatusIs(StatusCode::kConditionalCheckFailed, _));
  EXPECT_EQ(Edges({"s1", "c10"}), before);
  EXPECT_THAT(platform_.SetProgress({"s1", "c10"}, 100), IsOk());
  EXPECT_THAT(platform_.SetProgress({"s3", "c10"}, 10), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_EQ(Edges({"s3", "c10"}), (decltype(before)())) << "an update creates no edge";
}

TEST_F(CourseTest, ProgressDoesNotFall) {
  const auto before = Edges({"s1", "c10"});
  EXPECT_THAT(platform_.SetProgress({"s1", "c10"}, 39),
              StatusIs(StatusCode::kConditionalCheckFailed, "progress does not fall"));
  EXPECT_EQ(Edges({"s1", "c10"}), before);
  EXPECT_THAT(platform_.SetProgress({"s1", "c10"}, 40), IsOk()) << "the same progress again";
}

TEST_F(CourseTest, LastSeenIsOneSmallWriteThatNeverGoesBack) {
  const EnrolmentId id = {"s1", "c10"};
  EXPECT_THAT(platform_.SetLastSeen(id, Time("2026-01-02T00:00:00Z")), IsOk());
  EXPECT_EQ(Cost(log_), "UpdateItem, 1 write") << "the edge is in no index";
  EXPECT_THAT(platform_.SetLastSeen(id, Time("2026-01-01T00:00:00Z")), IsOk());
  EXPECT_EQ(std::get<1>(Edges(id))->last_seen, Time("2026-01-02T00:00:00Z"));
  EXPECT_THAT(platform_.SetLastSeen({"s3", "c10"}, clock_->Now()),
              StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(CourseTest, WithdrawingRemovesBothEdges) {
  const EnrolmentId id = {"s1", "c10"};
  EXPECT_THAT(platform_.Withdraw(id), IsOk());
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 6 write");
  EXPECT_EQ(Edges(id),
            (std::tuple<std::optional<StudentEnrolment>, std::optional<CourseEnrolment>>()));
  EXPECT_THAT(StudentIds(Value(platform_.ListStudents("c10")).items), ElementsAre("s2"));
  EXPECT_THAT(platform_.Withdraw(id), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(platform_.Enrol(id), IsOk()) << "a student may enrol again after withdrawing";
}

TEST_F(CourseTest, OpeningAgainFindsThePlatform) {
  const Platform again = Value(Platform::Open(database_));
  EXPECT_EQ(Value(again.GetStudent("s1")).name, "Ana Souza");
}

}  // namespace
}  // namespace dolmen::course
