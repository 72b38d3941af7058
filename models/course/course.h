// A platform of courses, in one table: the course model of README.md as a repository.

#pragma once

#include <dolmen/entity/table.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/course/entities.h"

namespace dolmen::course {

struct PlatformOptions {
  RequestObserver observer = {};  // is told of each request that the platform makes
};

struct StudentQuery {
  std::optional<Timestamp> joined_from = {};  // those who joined then or later; nothing = all
  std::string cursor = {};                    // EntityPage::next_cursor of the page before
  std::uint32_t limit = 50;
};

struct CourseStudentQuery {
  std::string course_id = {};
  std::string cursor = {};  // EntityPage::next_cursor of the page before
  std::uint32_t limit = 50;
};

struct ModuleId {
  std::string course_id = {};
  std::string module_id = {};
};

struct LessonId {
  std::string course_id = {};
  std::string module_id = {};
  std::string lesson_id = {};
};

// An open platform.  A handle; copies are of the same one.  Callable from any number of threads.
//
// Errors besides the database's own:
//   kResourceNotFound  the student, course, module, lesson or enrolment is not there
//   kResourceInUse     what should be new is there already
//   kValidation        the request is wrong: an id is empty or holds a '#', ...
//   kCorruption        the table holds an item that is not this model's
// On any error nothing has been written.
class Platform {
 public:
  static constexpr const char* kTableName = "edtech-platform";

  // Opens the platform in `database`, making it (CreateTable: PK, SK, GSI1) if there is none.
  static Result<Platform> Open(const Database& database, const PlatformOptions& options = {});

  // PutItem STUDENT#<id>/PROFILE with attribute_not_exists(PK).  Returns the student as stored.
  Result<Student> RegisterStudent(const Student& student) const;

  // PutItem COURSE#<id>/METADATA with attribute_not_exists(PK).  Returns the course as stored.
  Result<Course> CreateCourse(const Course& course) const;

  // TransactWriteItems: Put COURSE#<id>/CONTENT#MODULE#<id> with attribute_not_exists(PK), and
  // ConditionCheck of the course.
  Result<Module> AddModule(Module module) const;

  // TransactWriteItems: Put COURSE#<id>/CONTENT#LESSON#<module>#<id> with attribute_not_exists(PK),
  // and ConditionCheck of the module.
  Result<Lesson> AddLesson(Lesson lesson) const;

  // UpdateItem COURSE#<id>/CONTENT#MODULE#<id>: SET position.
  Status MoveModule(const ModuleId& id, std::int32_t position) const;

  // UpdateItem COURSE#<id>/CONTENT#LESSON#<module>#<id>: SET position, within the module.
  Status MoveLesson(const LessonId& id, std::int32_t position) const;

  // One TransactWriteItems: Put STUDENT#<student>/ENROLLMENT#<course> and Put COURSE#<course>/
  // ENROLLMENT#STUDENT#<student>, both with attribute_not_exists(PK), and ConditionCheck of the
  // student and the course.  `at` is when it happened; nothing = now.
  // kResourceInUse: the student is enrolled already.
  Status Enrol(const EnrolmentId& id, std::optional<Timestamp> at = {}) const;

  // One TransactWriteItems: Update of both edges, SET progress.  kValidation: not 0 to 100.
  Status SetProgress(const EnrolmentId& id, std::int32_t percent) const;

  // UpdateItem COURSE#<course>/ENROLLMENT#STUDENT#<student>: SET lastSeen, never backwards.
  Status SetLastSeen(const EnrolmentId& id, Timestamp at) const;

  // One TransactWriteItems: Delete of both edges.
  Status Withdraw(const EnrolmentId& id) const;

  // AP1.  GetItem PK = STUDENT#<id>, SK = PROFILE.
  Result<Student> GetStudent(const std::string& student_id) const;

  // AP2.  A student's courses, in order of their ids; none, too, if there is no such student.
  // Query PK = STUDENT#<id>, begins_with(SK, ENROLLMENT#).
  Result<std::vector<StudentEnrolment>> ListCourses(const std::string& student_id) const;

  // AP3.  A page of a course's students, in order of their ids.
  // Query GSI1 with GSI1PK = COURSE#<id>, begins_with(GSI1SK, STUDENT#), Limit.
  Result<EntityPage<StudentEnrolment>> ListStudents(const CourseStudentQuery& query) const;

  // The same from the course's own partition, with when each was last seen.
  // Query PK = COURSE#<id>, begins_with(SK, ENROLLMENT#STUDENT#), Limit.
  Result<EntityPage<CourseEnrolment>> ListAttendance(const CourseStudentQuery& query) const;

  // AP4.  An instructor's courses, in order of their ids.
  // Query GSI1 with GSI1PK = INSTRUCTOR#<id>, begins_with(GSI1SK, COURSE#).
  Result<std::vector<Course>> ListCoursesOfInstructor(const std::string& instructor_id) const;

  // AP5.  The modules of a course, each with its lessons, all in their positions.
  // Query PK = COURSE#<id>, begins_with(SK, CONTENT#).
  // kCorruption: a lesson's module is not there.
  Result<std::vector<ModuleWithLessons>> GetStructure(const std::string& course_id) const;

  // AP6.  The modules alone, in their positions.
  // Query PK = COURSE#<id>, begins_with(SK, CONTENT#MODULE#).
  Result<std::vector<Module>> ListModules(const std::string& course_id) const;

  // AP7.  The lessons of one module, in their positions.
  // Query PK = COURSE#<id>, begins_with(SK, CONTENT#LESSON#<module>#).
  Result<std::vector<Lesson>> ListLessons(const ModuleId& id) const;

  // A page of all students, by the time at which they joined.
  // Query GSI1 with GSI1PK = STUDENT#0 ... STUDENT#9, merged, and, with joined_from, GSI1SK BETWEEN
  // that time AND the last text there is, Limit.
  Result<EntityPage<Student>> ListAllStudents(const StudentQuery& query = {}) const;

  // GetItem PK = COURSE#<id>, SK = METADATA.
  Result<Course> GetCourse(const std::string& course_id) const;

  // GetItem PK = COURSE#<course>, SK = ENROLLMENT#STUDENT#<student>.
  Result<CourseEnrolment> GetEnrolment(const EnrolmentId& id) const;

 private:
  explicit Platform(EntityTable table) : table_(std::move(table)) {}

  EntityTable table_;
};

}  // namespace dolmen::course
