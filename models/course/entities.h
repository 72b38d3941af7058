// The entities of the course platform and how each is stored. The attributes have the document's
// names. README.md has the table of keys and the reasons for them.

#pragma once

#include <dolmen/entity.h>
#include <dolmen/entity/sharded.h>

#include <cstdint>
#include <string>
#include <vector>

namespace dolmen::course {

// The attribute that holds the kind of an item, for example "ENROLLMENT".
inline constexpr std::string_view kType = "entity_type";

// The partition keys of GSI1 over which the students are spread. If all students had one partition
// key, every registration would write to the same partition of the index.
using StudentShard = Sharded<10>;

struct Student {
  std::string id = {};  // "" = a new ULID
  std::string name = {};
  std::string email = {};    // belongs to one student
  Timestamp joined_at = {};  // 1970-01-01 = now
  StudentShard shard = {};   // depends on the id

  friend bool operator==(const Student&, const Student&) = default;
};

// Returns true for a text with an '@' and without capital letters and blanks. Two spellings of one
// address would otherwise be two addresses.
inline bool IsAddress(const std::string& email) {
  return email.find('@') != email.npos &&
         email.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ \t") == email.npos;
}

constexpr auto DescribeEntity(const Student*) {
  return DefineEntity<Student>(
             "STUDENT",
             {Attribute<&Student::id>("student_id").IfUnset<NewUlid>().InKeyOnly(),
              Attribute<&Student::name>("name"),
              Attribute<&Student::email>("email").Check<IsAddress>("is not a lower-case address"),
              Attribute<&Student::joined_at>("joined_at").IfUnset<Now>().ReadOnly(),
              Attribute<&Student::shard>("shard").Derived<StudentShard::OfHash, &Student::id>()},
             {PrimaryKey("STUDENT#{student_id}", "PROFILE"),
              IndexKey("GSI1", "STUDENT#{shard}", "{joined_at}")},
             kType)
      .Unique<&Student::email>("emailClaim");
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
      "COURSE",
      {Attribute<&Course::id>("course_id").IfUnset<NewUlid>().InKeyOnly(),
       Attribute<&Course::instructor_id>("instructor_id"), Attribute<&Course::title>("title"),
       Attribute<&Course::description>("description")},
      {PrimaryKey("COURSE#{course_id}", "METADATA"),
       IndexKey("GSI1", "INSTRUCTOR#{instructor_id}", "COURSE#{course_id}")},
      kType);
}

// A module of a course. The sort keys of modules and lessons begin with CONTENT#, so one
// begins_with("CONTENT#") reads both. The next part is MODULE# or LESSON#, so
// begins_with("CONTENT#MODULE#") reads the modules alone.
struct Module {
  std::string course_id = {};
  std::string id = {};  // "" = a new ULID
  std::string title = {};
  std::int32_t order_num = 0;  // sorts the modules of the course

  friend bool operator==(const Module&, const Module&) = default;
};

constexpr auto DescribeEntity(const Module*) {
  return DefineEntity<Module>(
      "MODULE",
      {Attribute<&Module::course_id>("course_id").InKeyOnly(),
       Attribute<&Module::id>("module_id").InKeyOnly(), Attribute<&Module::title>("title"),
       Attribute<&Module::order_num>("order_num")},
      {PrimaryKey("COURSE#{course_id}", "CONTENT#MODULE#{module_id}")}, kType);
}

struct Lesson {
  std::string course_id = {};
  std::string module_id = {};
  std::string id = {};  // "" = a new ULID
  std::string title = {};
  std::int32_t order_num = 0;  // sorts the lessons of the module
  std::int32_t duration_min = 0;

  friend bool operator==(const Lesson&, const Lesson&) = default;
};

constexpr auto DescribeEntity(const Lesson*) {
  return DefineEntity<Lesson>(
      "LESSON",
      {Attribute<&Lesson::course_id>("course_id").InKeyOnly(),
       Attribute<&Lesson::module_id>("module_id").InKeyOnly(),
       Attribute<&Lesson::id>("lesson_id").InKeyOnly(), Attribute<&Lesson::title>("title"),
       Attribute<&Lesson::order_num>("order_num"),
       Attribute<&Lesson::duration_min>("duration_min")},
      {PrimaryKey("COURSE#{course_id}", "CONTENT#LESSON#{module_id}#{lesson_id}")}, kType);
}

struct ModuleWithLessons {
  Module module = {};
  std::vector<Lesson> lessons = {};  // by order_num

  friend bool operator==(const ModuleWithLessons&, const ModuleWithLessons&) = default;
};

struct EnrolmentId {
  std::string student_id = {};
  std::string course_id = {};

  friend bool operator==(const EnrolmentId&, const EnrolmentId&) = default;
};

// The course's edge of an enrolment: its item in the course's partition. This edge is in no index,
// because SetLastSeen updates the edge at every visit. Without an index, each update writes only
// one small item.
struct CourseEnrolment {
  EnrolmentId id = {};
  Timestamp enrolled_at = {};
  std::int32_t progress = 0;  // per cent
  Timestamp last_seen = {};   // 1970-01-01 = now

  friend bool operator==(const CourseEnrolment&, const CourseEnrolment&) = default;
};

// The document names both edges ENROLLMENT. Here each has its own name, because reads tell entities
// apart by their names.
constexpr auto DescribeEntity(const CourseEnrolment*) {
  return DefineEntity<CourseEnrolment>(
             "COURSE_ENROLLMENT",
             {Attribute<&CourseEnrolment::id, &EnrolmentId::student_id>("student_id").InKeyOnly(),
              Attribute<&CourseEnrolment::id, &EnrolmentId::course_id>("course_id").InKeyOnly(),
              Attribute<&CourseEnrolment::enrolled_at>("enrolled_at").ReadOnly(),
              Attribute<&CourseEnrolment::progress>("progress"),
              Attribute<&CourseEnrolment::last_seen>("last_seen").IfUnset<Now>()},
             {PrimaryKey("COURSE#{course_id}", "ENROLLMENT#STUDENT#{student_id}")}, kType)
      .AlsoNamed("ENROLLMENT");
}

constexpr bool IsPercentage(std::int32_t number) { return number >= 0 && number <= 100; }

// The student's edge of an enrolment: its item in the student's partition. Each write also writes the
// course's edge. GSI1 holds this edge under the course. GSI1 does not hold the course's edge, because
// GSI1 would then list each student twice.
struct StudentEnrolment {
  EnrolmentId id = {};
  Timestamp enrolled_at = {};  // 1970-01-01 = now
  std::int32_t progress = 0;   // per cent

  friend bool operator==(const StudentEnrolment&, const StudentEnrolment&) = default;
};

constexpr auto DescribeEntity(const StudentEnrolment*) {
  return DefineEntity<StudentEnrolment>(
             "ENROLLMENT",
             {Attribute<&StudentEnrolment::id, &EnrolmentId::student_id>("student_id").InKeyOnly(),
              Attribute<&StudentEnrolment::id, &EnrolmentId::course_id>("course_id").InKeyOnly(),
              Attribute<&StudentEnrolment::enrolled_at>("enrolled_at").IfUnset<Now>().ReadOnly(),
              Attribute<&StudentEnrolment::progress>("progress")
                  .Check<IsPercentage>("is not from 0 to 100 per cent")},
             {PrimaryKey("STUDENT#{student_id}", "ENROLLMENT#{course_id}"),
              IndexKey("GSI1", "COURSE#{course_id}", "STUDENT#{student_id}")},
             kType)
      .Edge<CourseEnrolment>();
}

static_assert(CheckTable<Student, Course, Module, Lesson, StudentEnrolment, CourseEnrolment>());

}  // namespace dolmen::course
