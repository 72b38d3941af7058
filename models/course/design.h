// The design of the table, with its keys and its access patterns, and the pattern's sample data.
// README.md shows both and lists the values that the pattern does not contain. A test compares the page
// with the design (tests/models/readme_test.cc).

#pragma once

#include <dolmen/entity/describe.h>

#include "models/course/course.h"

namespace dolmen::course {

// Returns the design. Every access pattern is one request; README.md lists the operations that need
// several requests.
inline TableDesign Design() {
  return Describe<Student, Course, Module, Lesson, StudentEnrolment, CourseEnrolment>(
      Platform::kTableName,
      {AccessPattern("AP1 A student's profile", "GetStudent").With<&Student::id>(),
       AccessPattern("AP2 A student's courses", "ListCourses")
           .With<&StudentEnrolment::id, &EnrolmentId::student_id>(),
       AccessPattern("AP3 A course's students, in pages", "ListStudents")
           .With<&StudentEnrolment::id, &EnrolmentId::course_id>(),
       AccessPattern("A course's students, with when they were last seen", "ListAttendance")
           .With<&CourseEnrolment::id, &EnrolmentId::course_id>(),
       AccessPattern("AP4 An instructor's courses", "ListCoursesOfInstructor")
           .With<&Course::instructor_id>(),
       AccessPattern("AP6 A course's modules alone", "ListModules").With<&Module::course_id>(),
       AccessPattern("AP7 The lessons of one module", "ListLessons")
           .With<&Lesson::course_id>()
           .With<&Lesson::module_id>()});
}

// Stores the courses c10 and c20 of instructor i5, and their students. A second call stores the same
// items again, so it undoes changes of them. It keeps other items.
inline Status LoadSampleData(const Platform& platform) {
  using namespace std::chrono_literals;
  using std::chrono::sys_days;
  constexpr Timestamp kSep2 = sys_days(2024y / 9 / 2) + 8h;
  constexpr Timestamp kSep3 = kSep2 + 24h;
  constexpr Timestamp kSep4 = kSep3 + 24h;
  return platform.table()
      .Transact()
      .Put(Student{"s1", "Ana Souza", "ana@example.com", sys_days(2024y / 9 / 1)})
      .Put(Student{"s2", "Bruno Lima", "bruno@example.com", sys_days(2024y / 3 / 1)})
      .Put(Student{"s3", "Carla Nunes", "carla@example.com", sys_days(2023y / 11 / 20)})
      .Put(Student{"s4", "Davi Rocha", "davi@example.com", sys_days(2024y / 9 / 1) + 14h})
      .Put(Course{"c10", "i5", "Single-Table Design", "Access patterns first, keys second"})
      .Put(Course{"c20", "i5", "Streams and Time to Live", "Change feeds and expiry"})
      .Put(Course{"c30", "i6", "Graphs", "When a list of neighbours is not enough"})
      .Put(Module{"c10", "m1", "Keys", 1})
      .Put(Module{"c10", "m2", "Indexes", 2})
      .Put(Module{"c20", "m1", "Streams", 1})
      .Put(Lesson{"c10", "m1", "l1", "Partition keys", 1, 12})
      .Put(Lesson{"c10", "m1", "l2", "Sort keys", 2, 15})
      .Put(Lesson{"c10", "m2", "l3", "Overloading", 1, 20})
      .Put(StudentEnrolment{{"s1", "c10"}, kSep2, 40})
      .Put(StudentEnrolment{{"s1", "c20"}, kSep3, 5})
      .Put(StudentEnrolment{{"s2", "c10"}, kSep4, 75})
      .Commit()
      // The transaction has also written the courses' edges, with the current time as last_seen.
      .and_then([&] {
        return platform.table().BatchPut<CourseEnrolment>({{{"s1", "c10"}, kSep2, 40, kSep2},
                                                           {{"s1", "c20"}, kSep3, 5, kSep3},
                                                           {{"s2", "c10"}, kSep4, 75, kSep4}});
      });
}

}  // namespace dolmen::course
