#include "models/course/design.h"

#include "models/course/course.h"

namespace dolmen::course {

TableDesign Design() {
  return Describe<Student, Course, Module, Lesson, StudentEnrolment, CourseEnrolment>(
      Platform::kTableName,
      {AccessPattern("AP1 A student's profile").With<&Student::id>().By("GetStudent"),
       AccessPattern("AP2 A student's courses")
           .With<&StudentEnrolment::id, &EnrolmentId::student_id>()
           .By("ListCourses"),
       AccessPattern("AP3 A course's students, in pages")
           .With<&StudentEnrolment::id, &EnrolmentId::course_id>()
           .By("ListStudents"),
       AccessPattern("A course's students, with when they were last seen")
           .With<&CourseEnrolment::id, &EnrolmentId::course_id>()
           .By("ListAttendance"),
       AccessPattern("AP4 An instructor's courses")
           .With<&Course::instructor_id>()
           .By("ListCoursesOfInstructor"),
       AccessPattern("AP6 A course's modules alone").With<&Module::course_id>().By("ListModules"),
       AccessPattern("AP7 The lessons of one module")
           .With<&Lesson::course_id>()
           .With<&Lesson::module_id>()
           .By("ListLessons")});
}

}  // namespace dolmen::course
