// The entities of the course platform and how each is stored. README.md has the table of keys and
// the reasons for them.

#pragma once

#include <dolmen/entity/definition.h>
#include <dolmen/entity/sharded.h>
#include <dolmen/entity/table_check.h>

#include <cstdint>
#include <string>
#include <vector>

namespace dolmen::course {

// The partition keys of GSI1 over which the students are spread. If all students had one partition
// key, every registration would write to the same partition of the index.
using StudentShard = Sharded<10>;

struct Student {
  std::string id = {};  // "" = a new ULID
  std::string name = {};
  std::string email = {};
  Timestamp joined_at = {};  // 1970-01-01 = now
  StudentShard shard = {};   // ShardOf() this student

  friend bool operator==(const Student&, const Student&) = default;
};

// Returns the student's shard. It depends on the id alone, so writing a student again does not change
// it.
constexpr StudentShard ShardOf(const Student& student) { return StudentShard::OfHash(student.id); }

constexpr auto DescribeEntity(const Student*) {
  return DefineEntity<Student>(
      "student",
      {Attribute<&Student::id>("studentId").IfUnset<NewUlid>().InKeyOnly(),
       Attribute<&Student::name>("name"), Attribute<&Student::email>("email"),
       Attribute<&Student::joined_at>("joinedAt").IfUnset<Now>().ReadOnly(),
       Attribute<&Student::shard>("shard").Derived<ShardOf>()},
      {PrimaryKey("STUDENT#{studentId}", "PROFILE"),
       IndexKey("GSI1", "STUDENT#{shard}", "{joinedAt}")});
}

struct Course {
  std::string id = {};  // "" = a new ULID
  std::string instructor_id = {};
  std::string title = {};
  std::string description = {};

  friend bool operator==(const Course&, const Course&) = default;
};

constexpr auto DescribeEntity(const Course*) {
  return DefineEntity<Course>(
      "course",
      {Attribute<&Course::id>("courseId").IfUnset<NewUlid>().InKeyOnly(),
       Attribute<&Course::instructor_id>("instructorId"), Attribute<&Course::title>("title"),
       Attribute<&Course::description>("description")},
      {PrimaryKey("COURSE#{courseId}", "METADATA"),
       IndexKey("GSI1", "INSTRUCTOR#{instructorId}", "COURSE#{courseId}")});
}

// A module of a course. The sort keys of modules and lessons begin with CONTENT#, so one
// begins_with("CONTENT#") reads both. The next part is MODULE# or LESSON#, so
// begins_with("CONTENT#MODULE#") reads the modules alone.
struct Module {
  std::string course_id = {};
  std::string id = {};  // "" = a new ULID
  std::string title = {};
  std::int32_t position = 0;  // among the modules of the course

  friend bool operator==(const Module&, const Module&) = default;
};

constexpr auto DescribeEntity(const Module*) {
  return DefineEntity<Module>(
      "module",
      {Attribute<&Module::course_id>("courseId").InKeyOnly(),
       Attribute<&Module::id>("moduleId").InKeyOnly(), Attribute<&Module::title>("title"),
       Attribute<&Module::position>("position")},
      {PrimaryKey("COURSE#{courseId}", "CONTENT#MODULE#{moduleId}")});
}

struct Lesson {
  std::string course_id = {};
  std::string module_id = {};
  std::string id = {};  // "" = a new ULID
  std::string title = {};
  std::int32_t position = 0;  // among the lessons of the module
  std::int32_t duration_minutes = 0;

  friend bool operator==(const Lesson&, const Lesson&) = default;
};

constexpr auto DescribeEntity(const Lesson*) {
  return DefineEntity<Lesson>(
      "lesson",
      {Attribute<&Lesson::course_id>("courseId").InKeyOnly(),
       Attribute<&Lesson::module_id>("moduleId").InKeyOnly(),
       Attribute<&Lesson::id>("lessonId").InKeyOnly(), Attribute<&Lesson::title>("title"),
       Attribute<&Lesson::position>("position"),
       Attribute<&Lesson::duration_minutes>("durationMin")},
      {PrimaryKey("COURSE#{courseId}", "CONTENT#LESSON#{moduleId}#{lessonId}")});
}

struct ModuleWithLessons {
  Module module = {};
  std::vector<Lesson> lessons = {};  // by position

  friend bool operator==(const ModuleWithLessons&, const ModuleWithLessons&) = default;
};

struct EnrolmentId {
  std::string student_id = {};
  std::string course_id = {};

  friend bool operator==(const EnrolmentId&, const EnrolmentId&) = default;
};

// The student's edge of an enrolment: its item in the student's partition. GSI1 holds this edge
// under the course. GSI1 does not hold the course's edge, because GSI1 would then list each student
// twice.
struct StudentEnrolment {
  EnrolmentId id = {};
  Timestamp enrolled_at = {};
  std::int32_t progress = 0;  // per cent

  friend bool operator==(const StudentEnrolment&, const StudentEnrolment&) = default;
};

constexpr auto DescribeEntity(const StudentEnrolment*) {
  return DefineEntity<StudentEnrolment>(
      "studentEnrolment",
      {Attribute<&StudentEnrolment::id, &EnrolmentId::student_id>("studentId").InKeyOnly(),
       Attribute<&StudentEnrolment::id, &EnrolmentId::course_id>("courseId").InKeyOnly(),
       Attribute<&StudentEnrolment::enrolled_at>("enrolledAt").ReadOnly(),
       Attribute<&StudentEnrolment::progress>("progress")},
      {PrimaryKey("STUDENT#{studentId}", "ENROLLMENT#{courseId}"),
       IndexKey("GSI1", "COURSE#{courseId}", "STUDENT#{studentId}")});
}

// The course's edge of an enrolment: its item in the course's partition. This edge is in no index,
// because SetLastSeen updates the edge at every visit. Without an index, each update writes only
// one small item.
struct CourseEnrolment {
  EnrolmentId id = {};
  Timestamp enrolled_at = {};
  std::int32_t progress = 0;  // per cent
  Timestamp last_seen = {};

  friend bool operator==(const CourseEnrolment&, const CourseEnrolment&) = default;
};

constexpr auto DescribeEntity(const CourseEnrolment*) {
  return DefineEntity<CourseEnrolment>(
      "courseEnrolment",
      {Attribute<&CourseEnrolment::id, &EnrolmentId::student_id>("studentId").InKeyOnly(),
       Attribute<&CourseEnrolment::id, &EnrolmentId::course_id>("courseId").InKeyOnly(),
       Attribute<&CourseEnrolment::enrolled_at>("enrolledAt").ReadOnly(),
       Attribute<&CourseEnrolment::progress>("progress"),
       Attribute<&CourseEnrolment::last_seen>("lastSeen")},
      {PrimaryKey("COURSE#{courseId}", "ENROLLMENT#STUDENT#{studentId}")});
}

static_assert(CheckTable<Student, Course, Module, Lesson, StudentEnrolment, CourseEnrolment>());

}  // namespace dolmen::course
