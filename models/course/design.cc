#include "models/course/design.h"

#include "models/course/course.h"

namespace dolmen::course {

TableDesign Design() {
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

}  // namespace dolmen::course
