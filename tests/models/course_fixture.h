// A course platform in memory with the sample data and a manual clock.

#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/course/course.h"
#include "models/course/design.h"
#include "tests/models/cost.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::course {

using test::Cost;
using test::IsOk;
using test::IsOkAndHolds;
using test::StatusIs;
using test::Value;
using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

inline Timestamp Time(std::string_view text) { return Value(ParseIso8601(text)); }

// Returns the ids of students, courses, modules or lessons.
template <typename Identified>
std::vector<std::string> Ids(const std::vector<Identified>& all) {
  std::vector<std::string> ids;
  for (const Identified& one : all) ids.push_back(one.id);
  return ids;
}
inline std::vector<std::string> StudentIds(const std::vector<StudentEnrolment>& enrolments) {
  std::vector<std::string> ids;
  for (const StudentEnrolment& enrolment : enrolments) ids.push_back(enrolment.id.student_id);
  return ids;
}

class CourseTest : public testing::Test {
 protected:
  CourseTest() {
    EXPECT_THAT(LoadSampleData(platform_), IsOk());
    log_.Take();
  }

  // Returns the two edges of an enrolment as of one moment.
  std::tuple<std::optional<StudentEnrolment>, std::optional<CourseEnrolment>> Edges(
      const EnrolmentId& id) {
    return Value(table_.TransactGet(StudentEnrolment{.id = id}, CourseEnrolment{.id = id}));
  }

  RequestLog log_;
  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>(Time("2026-04-15T12:00:00Z"));
  Database database_ = Value(Database::InMemory({.clock = clock_}));
  Platform platform_ = Value(Platform::Open(database_, log_.observer()));
  // The platform's table, to read and write items without a log.
  EntityTable table_ = Value(Platform::Open(database_)).table();
};

}  // namespace dolmen::course
