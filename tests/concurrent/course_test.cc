// Tests of concurrent enrolments. A student has one enrolment per course. An enrolment consists of
// two items (edges), one for the student and one for the course, and both or neither exist.

#include "models/course/course.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <tuple>
#include <vector>

#include "tests/concurrent/threads.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::course {
namespace {

using test::IsOk;
using test::kThreads;
using test::RunTogether;
using test::StatusIs;
using test::Value;
using testing::_;

constexpr int kStudents = 2;
constexpr int kCourses = 2;

class CourseRaceTest : public test::SeededTest {
 protected:
  CourseRaceTest() {
    for (int i = 0; i < kStudents; ++i) {
      Value(platform_.RegisterStudent(
          {.id = "s" + std::to_string(i), .name = "S", .email = std::to_string(i) + "@e"}));
    }
    for (int i = 0; i < kCourses; ++i) {
      Value(platform_.CreateCourse(
          {.id = "c" + std::to_string(i), .instructor_id = "i", .title = "C"}));
    }
  }

  static EnrolmentId IdAt(std::size_t place) {
    return {"s" + std::to_string(place % kStudents), "c" + std::to_string(place / kStudents)};
  }

  // Returns true if the student is enrolled. Fails the test if only one of the two edges exists or
  // their contents differ.
  bool IsEnrolled(const EnrolmentId& id) {
    const auto [of_student, of_course] =
        Value(table_.TransactGet(StudentEnrolment{.id = id}, CourseEnrolment{.id = id}));
    EXPECT_EQ(of_student.has_value(), of_course.has_value()) << "only one of the two edges exists";
    if (!of_student || !of_course) return false;
    EXPECT_EQ(of_student->enrolled_at, of_course->enrolled_at);
    EXPECT_EQ(of_student->progress, of_course->progress);
    return true;
  }

  static constexpr std::size_t kPairs = kStudents * kCourses;

  Database database_ = Value(Database::InMemory());
  Platform platform_ = Value(Platform::Open(database_));
  EntityTable table_ = platform_.table();
};

TEST_F(CourseRaceTest, OneOfEightConcurrentEnrolmentsSucceeds) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> enrolled = 0;
    RunTogether(kThreads, [&](std::size_t) {
      const Status status = platform_.Enrol({"s0", "c0"});
      if (status.ok()) {
        ++enrolled;
      } else {
        EXPECT_THAT(status, StatusIs(StatusCode::kResourceInUse, _));
      }
    });
    EXPECT_EQ(enrolled, 1);
    EXPECT_TRUE(IsEnrolled({"s0", "c0"}));
    EXPECT_EQ(Value(platform_.ListStudents("c0")).items.size(), 1U);
    EXPECT_EQ(Value(platform_.ListCourses("s0")).size(), 1U);
    ASSERT_THAT(platform_.Withdraw({"s0", "c0"}), IsOk());
  }
}

// Each thread enrols, withdraws, makes progress and checks both edges, at random.
TEST_F(CourseRaceTest, BothEdgesExistTogetherAndAgree) {
  std::array<std::atomic<int>, kPairs> enrolments = {};  // successful enrolments minus withdrawals
  const std::uint64_t seed = random_.Next();
  RunTogether(kThreads, [&](std::size_t thread) {
    test::Random random(seed + thread);
    for (int step = 0; step < 300; ++step) {
      const std::size_t place = random.Below(kPairs);
      const EnrolmentId id = IdAt(place);
      switch (random.Below(4)) {
        case 0: {
          const Status status = platform_.Enrol(id);
          if (status.ok()) ++enrolments[place];
          EXPECT_TRUE(status.ok() || status.code() == StatusCode::kResourceInUse);
          break;
        }
        case 1: {
          const Status status = platform_.Withdraw(id);
          if (status.ok()) --enrolments[place];
          EXPECT_TRUE(status.ok() || status.code() == StatusCode::kResourceNotFound);
          break;
        }
        case 2: {
          const auto percent = static_cast<std::int32_t>(random.Below(101));
          const Status status = platform_.SetProgress(id, percent);
          EXPECT_TRUE(status.ok() || status.code() == StatusCode::kResourceNotFound ||
                      status.code() == StatusCode::kConditionalCheckFailed);
          break;
        }
        default:
          IsEnrolled(id);
      }
    }
  });
  for (std::size_t place = 0; place < kPairs; ++place) {
    EXPECT_EQ(enrolments[place], IsEnrolled(IdAt(place)) ? 1 : 0)
        << "the number of successful enrolments does not match";
  }
  for (int i = 0; i < kCourses; ++i) {
    const std::string id = "c" + std::to_string(i);
    EXPECT_EQ(Value(platform_.ListStudents(id)).items.size(),
              Value(platform_.ListAttendance(id)).items.size())
        << "the index and the partition differ";
  }
  EXPECT_EQ(Value(platform_.VerifyEnrolments()).items_failed, 0U);
}

// Some threads enrol and add lessons while others remove the student, the course and the module.
TEST_F(CourseRaceTest, ARemovalLeavesNothingBehind) {
  for (int round = 0; round < 20; ++round) {
    Value(platform_.RegisterStudent({.id = "s9", .name = "S", .email = "nine@e"}));
    Value(platform_.CreateCourse({.id = "c9", .instructor_id = "i", .title = "C"}));
    Value(platform_.AddModule({.course_id = "c9", .id = "m1"}));
    RunTogether(kThreads, [&](std::size_t thread) {
      const std::string id = std::to_string(thread);
      Status status;
      switch (thread % 4) {
        case 0:
          EXPECT_THAT(platform_.RemoveStudent("s9"), IsOk());
          break;
        case 1:
          EXPECT_THAT(platform_.RemoveCourse("c9"), IsOk());
          break;
        case 2:
          status = platform_.Enrol({"s9", "c9"});
          EXPECT_TRUE(status.ok() || status.code() == StatusCode::kResourceNotFound ||
                      status.code() == StatusCode::kResourceInUse);
          break;
        default:
          status = platform_.AddLesson({.course_id = "c9", .module_id = "m1", .id = id}).status();
          EXPECT_TRUE(status.ok() || status.code() == StatusCode::kResourceNotFound);
      }
    });
    for (const char* partition : {"STUDENT#s9", "COURSE#c9"}) {
      const auto left = Value(table_.table().Query({.key_condition = Partition(partition)}));
      EXPECT_EQ(left.size(), 0U) << partition;
    }
  }
}

}  // namespace
}  // namespace dolmen::course
