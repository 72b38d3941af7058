// The repository of the course model (README.md): a platform of courses, in one table.

#pragma once

#include <dolmen/entity/table.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/course/entities.h"

namespace dolmen::course {

// A page to read. Every page has the cursor of the next one (EntityPage::next_cursor).
struct PageInput {
  std::string cursor = {};  // "" = the first page
  std::uint32_t limit = 50;
};

// The course platform in a database. A handle: copies refer to the same platform. Thread-safe.
//
// Errors besides the database's own:
// - kResourceNotFound: the student, course, module, lesson or enrolment does not exist.
// - kResourceInUse: the thing to create exists already, or the e-mail address is taken.
// - kConditionalCheckFailed: a rule of the platform refuses the write; the message names the rule.
// - kValidation: the request is wrong, e.g. an id is empty or holds a '#'.
// - kCorruption: an item cannot be read as its entity. A page holds such errors in `damaged`.
// A call that returns an error has written nothing, except for RemoveStudent, RemoveModule and
// RemoveCourse. These three do nothing if there is nothing to remove, so they can be repeated.
class Platform {
 public:
  static constexpr const char* kTableName = "edtech-platform";
  static constexpr const char* kIndex = "GSI1";

  // Opens the platform in `database`, and creates it if it does not exist (CreateTable: PK, SK,
  // GSI1).
  static Result<Platform> Open(const Database& database, RequestObserver observer = {});

  // Create a student or a course and return it as stored. A student's address must be unused, so a
  // student takes a transaction: Put of the student and of the claim of the address.
  Result<Student> RegisterStudent(const Student& student) const { return table_.Create(student); }
  Result<Course> CreateCourse(const Course& course) const { return table_.Create(course); }

  // Create a module of a course, and a lesson of a module, and return it as stored.
  // TransactWriteItems: Put, and ConditionCheck that the course or the module exists.
  Result<Module> AddModule(const Module& module) const;
  Result<Lesson> AddLesson(const Lesson& lesson) const;

  // Changes attributes of a student, course, module or lesson, for example the order_num of a module
  // (UpdateItem). Returns the changed entity.
  //
  //   platform.Edit(Course{.id = "c10"}, Changes<Course>().Set<&Course::title>("Keys"));
  template <typename T>
    requires(!std::same_as<T, StudentEnrolment> && !std::same_as<T, CourseEnrolment>)
  Result<T> Edit(const T& key, const Changes<T>& changes) const {
    return table_.Update(key, changes);
  }

  // Moves a lesson to another module of its course. The key of a lesson holds its module, so the
  // lesson is created again. GetItem, then TransactWriteItems: Delete, Put, and ConditionCheck of the
  // module.
  // - kConditionalCheckFailed: the lesson was edited at the same time.
  Status MoveLesson(const Lesson& key, const std::string& module_id, std::int32_t order_num) const;

  // Removes a lesson (DeleteItem).
  Status RemoveLesson(const Lesson& key) const { return table_.Remove(key); }

  // Remove a student and their enrolments, a module and its lessons, or a course with its modules,
  // lessons and enrolments. The owner is removed first: then nothing can be added to it.
  Status RemoveStudent(const std::string& id) const;
  Status RemoveModule(const Module& key) const;
  Status RemoveCourse(const std::string& id) const;

  // Enrols a student in a course. `at` is the time; 1970-01-01 = now. TransactWriteItems: Put of both
  // edges with attribute_not_exists(PK), and ConditionCheck of the student and the course.
  // - kResourceInUse: the student is enrolled already.
  Status Enrol(const EnrolmentId& id, Timestamp at = {}) const;

  // Sets a student's progress in a course, in per cent. TransactWriteItems: Update of both edges.
  // - kConditionalCheckFailed: the progress would fall.
  // - kValidation: `percent` is not from 0 to 100.
  Status SetProgress(const EnrolmentId& id, std::int32_t percent) const;

  // Sets the time when a student was last seen in a course. Does nothing if the stored time is
  // later. UpdateItem of the course's edge: SET last_seen.
  Status SetLastSeen(const EnrolmentId& id, Timestamp at) const;

  // Ends an enrolment. TransactWriteItems: Delete of both edges.
  Status Withdraw(const EnrolmentId& id) const { return table_.Remove(StudentEnrolment{.id = id}); }

  // AP1. Returns a student. GetItem PK = STUDENT#<id>, SK = PROFILE.
  Result<Student> GetStudent(const std::string& id) const { return table_.Get(Student{.id = id}); }

  // Returns a course. GetItem PK = COURSE#<id>, SK = METADATA.
  Result<Course> GetCourse(const std::string& id) const { return table_.Get(Course{.id = id}); }

  // AP2. Returns a student's courses, in order of their ids; none if the student does not exist.
  // Query PK = STUDENT#<id>, begins_with(SK, ENROLLMENT#).
  Result<std::vector<StudentEnrolment>> ListCourses(const std::string& student_id) const;

  // AP3. Returns a page of a course's students, in order of their ids.
  // Query GSI1 with GSI1PK = COURSE#<id>, begins_with(GSI1SK, STUDENT#), Limit.
  Result<EntityPage<StudentEnrolment>> ListStudents(const std::string& course_id,
                                                    const PageInput& page = {}) const;

  // Returns a page of a course's students, each with the time when the student was last seen.
  // Query PK = COURSE#<id>, begins_with(SK, ENROLLMENT#STUDENT#), Limit.
  Result<EntityPage<CourseEnrolment>> ListAttendance(const std::string& course_id,
                                                     const PageInput& page = {}) const;

  // AP4. Returns an instructor's courses, in order of their ids.
  // Query GSI1 with GSI1PK = INSTRUCTOR#<id>, begins_with(GSI1SK, COURSE#).
  Result<std::vector<Course>> ListCoursesOfInstructor(const std::string& instructor_id) const {
    return table_.Query<Course>(kIndex).With<&Course::instructor_id>(instructor_id).All();
  }

  // AP5. Returns the modules of a course, each with its lessons, all sorted by order_num.
  // Query PK = COURSE#<id>, begins_with(SK, CONTENT#).
  Result<std::vector<ModuleWithLessons>> GetStructure(const std::string& course_id) const;

  // AP6. Returns a course's modules without their lessons, sorted by order_num.
  // Query PK = COURSE#<id>, begins_with(SK, CONTENT#MODULE#).
  Result<std::vector<Module>> ListModules(const std::string& course_id) const;

  // AP7. Returns the lessons of one module, sorted by order_num. Of `key` only the ids are used.
  // Query PK = COURSE#<id>, begins_with(SK, CONTENT#LESSON#<module>#).
  Result<std::vector<Lesson>> ListLessons(const Module& key) const;

  // Returns a page of the students who joined at `from` or later, sorted by that time. One Query of
  // GSI1 with Limit reads the partition keys STUDENT#0 to STUDENT#9 and merges their items.
  Result<EntityPage<Student>> ListAllStudents(Timestamp from = {},
                                              const PageInput& page = {}) const;

  // Finds enrolments of which only one edge exists, or whose edges differ (EntityTable::VerifyEdges).
  // The platform never writes one, but another program can.
  Result<MigrationProgress> VerifyEnrolments() const {
    return table_.VerifyEdges<StudentEnrolment>();
  }

  // Returns the table, for example to load many items at once.
  const EntityTable& table() const { return table_; }

 private:
  explicit Platform(EntityTable table) : table_(std::move(table)) {}

  EntityTable table_;
};

}  // namespace dolmen::course
