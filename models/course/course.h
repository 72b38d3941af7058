// The repository of the course model (README.md): a platform of courses, in one table.

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
  RequestObserver observer = {};  // called for each request that the platform makes
};

struct StudentQuery {
  std::optional<Timestamp> joined_from = {};  // the earliest time of joining; nothing = all
  std::string cursor = {};                    // EntityPage::next_cursor of the previous page
  std::uint32_t limit = 50;
};

struct CourseStudentQuery {
  std::string course_id = {};
  std::string cursor = {};  // EntityPage::next_cursor of the previous page
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

// The course platform in a database. A handle: copies refer to the same platform. Thread-safe.
//
// Errors besides the database's own:
// - kResourceNotFound: the student, course, module, lesson or enrolment does not exist.
// - kResourceInUse: the thing to create exists already.
// - kValidation: the request is wrong, e.g. an id is empty or holds a '#'.
// - kCorruption: an item cannot be read as its entity. A page holds such errors in `damaged`.
// A call that returns an error has written nothing.
class Platform {
 public:
  static constexpr const char* kTableName = "edtech-platform";

  // Opens the platform in `database`, and creates it if it does not exist (CreateTable: PK, SK,
  // GSI1).
  static Result<Platform> Open(const Database& database, const PlatformOptions& options = {});

  // Creates a student and returns it as stored. PutItem STUDENT#<id>/PROFILE with
  // attribute_not_exists(PK).
  Result<Student> RegisterStudent(const Student& student) const;

  // Creates a course and returns it as stored. PutItem COURSE#<id>/METADATA with
  // attribute_not_exists(PK).
  Result<Course> CreateCourse(const Course& course) const;

  // Creates a module and returns it as stored. TransactWriteItems: Put
  // COURSE#<id>/CONTENT#MODULE#<id> with attribute_not_exists(PK), and ConditionCheck of the
  // course.
  Result<Module> AddModule(Module module) const;

  // Creates a lesson and returns it as stored. TransactWriteItems: Put
  // COURSE#<id>/CONTENT#LESSON#<module>#<id> with attribute_not_exists(PK), and ConditionCheck of
  // the module.
  Result<Lesson> AddLesson(Lesson lesson) const;

  // Changes a module's position. UpdateItem COURSE#<id>/CONTENT#MODULE#<id>: SET position.
  Status MoveModule(const ModuleId& id, std::int32_t position) const;

  // Changes a lesson's position within its module. UpdateItem
  // COURSE#<id>/CONTENT#LESSON#<module>#<id>: SET position.
  Status MoveLesson(const LessonId& id, std::int32_t position) const;

  // Enrols a student in a course at the time `at`. The default of `at` is the current time. One
  // TransactWriteItems: Put STUDENT#<student>/ENROLLMENT#<course> and Put
  // COURSE#<course>/ENROLLMENT#STUDENT#<student>, both with attribute_not_exists(PK), and
  // ConditionCheck of the student and the course.
  // - kResourceInUse: the student is enrolled already.
  Status Enrol(const EnrolmentId& id, std::optional<Timestamp> at = {}) const;

  // Sets a student's progress in a course, in per cent. One TransactWriteItems: Update both edges
  // of the enrolment, SET progress.
  // - kValidation: `percent` is not from 0 to 100.
  Status SetProgress(const EnrolmentId& id, std::int32_t percent) const;

  // Sets the time when a student was last seen in a course. Does nothing if the stored time is
  // later. UpdateItem COURSE#<course>/ENROLLMENT#STUDENT#<student>: SET lastSeen.
  Status SetLastSeen(const EnrolmentId& id, Timestamp at) const;

  // Ends an enrolment. One TransactWriteItems: Delete of both edges.
  Status Withdraw(const EnrolmentId& id) const;

  // AP1. Returns a student. GetItem PK = STUDENT#<id>, SK = PROFILE.
  Result<Student> GetStudent(const std::string& student_id) const;

  // AP2. Returns a student's courses, in order of their ids; none if the student does not exist.
  // Query PK = STUDENT#<id>, begins_with(SK, ENROLLMENT#).
  Result<std::vector<StudentEnrolment>> ListCourses(const std::string& student_id) const;

  // AP3. Returns a page of a course's students, in order of their ids.
  // Query GSI1 with GSI1PK = COURSE#<id>, begins_with(GSI1SK, STUDENT#), Limit.
  Result<EntityPage<StudentEnrolment>> ListStudents(const CourseStudentQuery& query) const;

  // Returns a page of a course's students, each with the time when the student was last seen. Sorts
  // the students by id.
  // Query PK = COURSE#<id>, begins_with(SK, ENROLLMENT#STUDENT#), Limit.
  Result<EntityPage<CourseEnrolment>> ListAttendance(const CourseStudentQuery& query) const;

  // AP4. Returns an instructor's courses, in order of their ids.
  // Query GSI1 with GSI1PK = INSTRUCTOR#<id>, begins_with(GSI1SK, COURSE#).
  Result<std::vector<Course>> ListCoursesOfInstructor(const std::string& instructor_id) const;

  // AP5. Returns the modules of a course, each with its lessons, all sorted by position.
  // Query PK = COURSE#<id>, begins_with(SK, CONTENT#).
  // - kCorruption: a lesson's module does not exist.
  Result<std::vector<ModuleWithLessons>> GetStructure(const std::string& course_id) const;

  // AP6. Returns a course's modules without their lessons, sorted by position.
  // Query PK = COURSE#<id>, begins_with(SK, CONTENT#MODULE#).
  Result<std::vector<Module>> ListModules(const std::string& course_id) const;

  // AP7. Returns the lessons of one module, sorted by position.
  // Query PK = COURSE#<id>, begins_with(SK, CONTENT#LESSON#<module>#).
  Result<std::vector<Lesson>> ListLessons(const ModuleId& id) const;

  // Returns a page of all students, sorted by the time of joining. One Query of GSI1 with Limit
  // reads the partition keys STUDENT#0 to STUDENT#9 and merges their items. With joined_from the
  // Query has the condition GSI1SK BETWEEN joined_from AND the greatest string.
  Result<EntityPage<Student>> ListAllStudents(const StudentQuery& query = {}) const;

  // Returns a course. GetItem PK = COURSE#<id>, SK = METADATA.
  Result<Course> GetCourse(const std::string& course_id) const;

  // Returns the course's edge of an enrolment. GetItem PK = COURSE#<course>, SK =
  // ENROLLMENT#STUDENT#<student>.
  Result<CourseEnrolment> GetEnrolment(const EnrolmentId& id) const;

 private:
  explicit Platform(EntityTable table) : table_(std::move(table)) {}

  EntityTable table_;
};

}  // namespace dolmen::course
