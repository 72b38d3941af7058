// The repository of the course model (README.md): a platform of courses, in one table.

#pragma once

#include <algorithm>
#include <map>

#include "models/course/entities.h"

namespace dolmen::course {

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

  // Opens the platform in `database`, and creates it if it does not exist (CreateTable: PK, SK,
  // GSI1).
  static Result<Platform> Open(const Database& database, RequestObserver observer = {}) {
    return EntityTable::Open(
               database, {.name = kTableName, .indexes = {"GSI1"}, .observer = std::move(observer)})
        .transform([](const EntityTable& table) { return Platform(table); });
  }

  // Create a student or a course and return it as stored. A student's address must be unused, so a
  // student takes a transaction: Put of the student and of the claim of the address.
  Result<Student> RegisterStudent(const Student& student) const { return table_.Create(student); }
  Result<Course> CreateCourse(const Course& course) const { return table_.Create(course); }

  // Create a module of a course, and a lesson of a module, and return it as stored.
  // TransactWriteItems: Put, and ConditionCheck that the course or the module exists.
  Result<Module> AddModule(const Module& module) const {
    return AddTo(Course{.id = module.course_id}, module);
  }
  Result<Lesson> AddLesson(const Lesson& lesson) const {
    return AddTo(Module{.course_id = lesson.course_id, .id = lesson.module_id}, lesson);
  }

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
  Status MoveLesson(const Lesson& key, const std::string& module_id, std::int32_t order_num) const {
    return table_.Get(key).and_then([&](const Lesson& lesson) {
      Lesson moved = lesson;
      moved.module_id = module_id;
      moved.order_num = order_num;
      return table_.Transact()
          .Remove(lesson, IsUnchanged(lesson), "the lesson was edited at the same time")
          .Create(moved)
          .Require(Module{.course_id = key.course_id, .id = module_id})
          .Commit();
    });
  }

  // Removes a lesson (DeleteItem).
  Status RemoveLesson(const Lesson& key) const { return table_.Remove(key); }

  // Remove a student and their enrolments, a module and its lessons, or a course with its modules,
  // lessons and enrolments. The owner is removed first. Nothing can be added to an owner that is gone,
  // so no part is left behind. BatchWriteItem, and Query and BatchWriteItem of each kind of parts.
  Status RemoveStudent(const std::string& id) const {
    return RemoveWithParts(Student{.id = id}, CoursesOf(id));
  }
  Status RemoveModule(const Module& key) const { return RemoveWithParts(key, LessonsOf(key)); }
  Status RemoveCourse(const std::string& id) const {
    const auto lessons = table_.Query<Lesson>().With<&Lesson::course_id>(id);
    return RemoveWithParts(Course{.id = id}, ModulesOf(id), lessons, StudentsOf(id));
  }

  // Enrols a student in a course. `at` is the time; 1970-01-01 = now. TransactWriteItems: Put of both
  // edges with attribute_not_exists(PK), and ConditionCheck of the student and the course.
  // - kResourceInUse: the student is enrolled already.
  Status Enrol(const EnrolmentId& id, Timestamp at = {}) const {
    return table_.Transact()
        .Create(StudentEnrolment{.id = id, .enrolled_at = at})
        .Require(Student{.id = id.student_id})
        .Require(Course{.id = id.course_id})
        .Commit();
  }

  // Sets a student's progress in a course, in per cent. TransactWriteItems: Update of both edges.
  // - kConditionalCheckFailed: the progress would fall.
  // - kValidation: `percent` is not from 0 to 100.
  Status SetProgress(const EnrolmentId& id, std::int32_t percent) const {
    return table_.Transact()
        .Update(StudentEnrolment{.id = id},
                Changes<StudentEnrolment>().Set<&StudentEnrolment::progress>(percent).If(
                    AttrOf<&StudentEnrolment::progress>() <= percent, "progress does not fall"))
        .Commit();
  }

  // Sets the time when a student was last seen in a course. Does nothing if the stored time is
  // later. UpdateItem of the course's edge: SET last_seen.
  Status SetLastSeen(const EnrolmentId& id, Timestamp at) const {
    return table_.Update(CourseEnrolment{.id = id})
        .Set<&CourseEnrolment::last_seen>(at)
        .If(AttrOf<&CourseEnrolment::last_seen>() < at)
        .CommitIgnoring(StatusCode::kConditionalCheckFailed);
  }

  // Ends an enrolment. TransactWriteItems: Delete of both edges.
  Status Withdraw(const EnrolmentId& id) const { return table_.Remove(StudentEnrolment{.id = id}); }

  // AP1. Returns a student. GetItem PK = STUDENT#<id>, SK = PROFILE.
  Result<Student> GetStudent(const std::string& id) const { return table_.Get(Student{.id = id}); }

  // Returns a course. GetItem PK = COURSE#<id>, SK = METADATA.
  Result<Course> GetCourse(const std::string& id) const { return table_.Get(Course{.id = id}); }

  // AP2. Returns a student's courses, in order of their ids; none if the student does not exist.
  // Query PK = STUDENT#<id>, begins_with(SK, ENROLLMENT#).
  Result<std::vector<StudentEnrolment>> ListCourses(const std::string& student_id) const {
    return CoursesOf(student_id).All();
  }

  // AP3. Returns a page of a course's students, in order of their ids.
  // Query GSI1 with GSI1PK = COURSE#<id>, begins_with(GSI1SK, STUDENT#), Limit.
  Result<EntityPage<StudentEnrolment>> ListStudents(const std::string& course_id,
                                                    const PageInput& page = {}) const {
    return StudentsOf(course_id).Page(page);
  }

  // Returns a page of a course's students, each with the time when the student was last seen.
  // Query PK = COURSE#<id>, begins_with(SK, ENROLLMENT#STUDENT#), Limit.
  Result<EntityPage<CourseEnrolment>> ListAttendance(const std::string& course_id,
                                                     const PageInput& page = {}) const {
    return table_.Query<CourseEnrolment>()
        .With<&CourseEnrolment::id, &EnrolmentId::course_id>(course_id)
        .Page(page);
  }

  // AP4. Returns an instructor's courses, in order of their ids.
  // Query GSI1 with GSI1PK = INSTRUCTOR#<id>, begins_with(GSI1SK, COURSE#).
  Result<std::vector<Course>> ListCoursesOfInstructor(const std::string& instructor_id) const {
    return table_.Query<Course>("GSI1").With<&Course::instructor_id>(instructor_id).All();
  }

  // AP5. Returns the modules of a course, each with its lessons, all sorted by order_num. Leaves out
  // the lessons of a module that RemoveModule has removed. Query PK = COURSE#<id>, begins_with(SK,
  // CONTENT#).
  Result<std::vector<ModuleWithLessons>> GetStructure(const std::string& course_id) const {
    const auto content = table_.Query<Module, Lesson>().With<&Module::course_id>(course_id);
    return content.Grouped().transform([](const auto& found) {
      const auto& [modules, lessons] = found;
      std::map<std::string, std::vector<Lesson>> lessons_of;
      for (const Lesson& lesson : Sorted(lessons)) lessons_of[lesson.module_id].push_back(lesson);
      std::vector<ModuleWithLessons> tree;
      for (const Module& module : Sorted(modules)) tree.push_back({module, lessons_of[module.id]});
      return tree;
    });
  }

  // AP6. Returns a course's modules without their lessons, sorted by order_num.
  // Query PK = COURSE#<id>, begins_with(SK, CONTENT#MODULE#).
  Result<std::vector<Module>> ListModules(const std::string& course_id) const {
    return ModulesOf(course_id).All().transform(Sorted<Module>);
  }

  // AP7. Returns the lessons of one module, sorted by order_num. Of `key` only the ids are used.
  // Query PK = COURSE#<id>, begins_with(SK, CONTENT#LESSON#<module>#).
  Result<std::vector<Lesson>> ListLessons(const Module& key) const {
    return LessonsOf(key).All().transform(Sorted<Lesson>);
  }

  // Returns a page of the students who joined at `from` or later, sorted by that time. One Query of
  // GSI1 with Limit reads the partition keys STUDENT#0 to STUDENT#9 and merges their items.
  Result<EntityPage<Student>> ListAllStudents(Timestamp from = {},
                                              const PageInput& page = {}) const {
    return table_.Query<Student>("GSI1")
        .AllShards<&Student::shard>()
        .AtLeast<&Student::joined_at>(from)
        .Page(page);
  }

  // Finds enrolments of which only one edge exists, or whose edges differ (EntityTable::VerifyEdges).
  // The platform never writes one, but another program can. Writes nothing. Each one is in
  // MigrationProgress::failures, with kCorruption. The text names the key of the edge that is missing,
  // or the attribute that differs. Scan; GetItem and TransactGetItems of each edge.
  Result<MigrationProgress> VerifyEnrolments() const {
    return table_.VerifyEdges<StudentEnrolment>();
  }

  // Returns the table, for example to load many items at once.
  const EntityTable& table() const { return table_; }

 private:
  explicit Platform(EntityTable table) : table_(std::move(table)) {}

  // Sorts by order_num, then by id, because two entities can have the same order_num.
  template <typename Ordered>
  static std::vector<Ordered> Sorted(std::vector<Ordered> all) {
    std::ranges::sort(all, {}, [](const Ordered& one) { return std::tie(one.order_num, one.id); });
    return all;
  }

  // Creates a part of an owner that exists, and returns it as stored.
  template <typename Owner, typename Part>
  Result<Part> AddTo(const Owner& owner, Part part) const {
    if (part.id.empty()) part.id = table_.NewUlid();
    return table_.Transact().Create(part).Require(owner).Commit().and_return(part);
  }

  // Removes an owner, and then all parts that the queries find.
  template <typename Owner, typename... Queries>
  Status RemoveWithParts(const Owner& owner, const Queries&... parts) const {
    return table_.BatchRemove<Owner>({owner}).and_then([&] { return RemoveAll(table_, parts...); });
  }

  // Return the queries of a student's courses, a course's students and modules, and a module's
  // lessons.
  EntityQuery<StudentEnrolment> CoursesOf(const std::string& student_id) const {
    return table_.Query<StudentEnrolment>().With<&StudentEnrolment::id, &EnrolmentId::student_id>(
        student_id);
  }
  EntityQuery<StudentEnrolment> StudentsOf(const std::string& course_id) const {
    return table_.Query<StudentEnrolment>("GSI1")
        .With<&StudentEnrolment::id, &EnrolmentId::course_id>(course_id);
  }
  EntityQuery<Module> ModulesOf(const std::string& course_id) const {
    return table_.Query<Module>().With<&Module::course_id>(course_id);
  }
  EntityQuery<Lesson> LessonsOf(const Module& key) const {
    return table_.Query<Lesson>()
        .With<&Lesson::course_id>(key.course_id)
        .With<&Lesson::module_id>(key.id);
  }

  EntityTable table_;
};

}  // namespace dolmen::course
