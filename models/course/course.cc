#include "models/course/course.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace dolmen::course {
namespace {

constexpr const char* kIndex = "GSI1";
constexpr std::int32_t kProgressMax = 100;

// Sorts by position, then by id, because two entries can have the same position.
template <typename Placed>
void SortByPosition(std::vector<Placed>* placed) {
  std::ranges::sort(*placed, {}, [](const Placed& one) { return std::tie(one.position, one.id); });
}

template <typename Placed>
Result<std::vector<Placed>> Sorted(Result<std::vector<Placed>> placed) {
  if (placed.ok()) SortByPosition(&*placed);
  return placed;
}

// Builds a tree from the modules and lessons of a course.
// - kCorruption: a lesson is in a module that does not exist.
Result<std::vector<ModuleWithLessons>> BuildStructure(std::vector<Module> modules,
                                                      std::vector<Lesson> lessons) {
  std::map<std::string, std::vector<Lesson>> by_module;
  for (Lesson& lesson : lessons) by_module[lesson.module_id].push_back(std::move(lesson));
  SortByPosition(&modules);
  std::vector<ModuleWithLessons> structure;
  for (Module& module : modules) {
    std::vector<Lesson> own = std::move(by_module[module.id]);
    by_module.erase(module.id);
    SortByPosition(&own);
    structure.push_back({.module = std::move(module), .lessons = std::move(own)});
  }
  if (by_module.empty()) return structure;
  const Lesson& lost = by_module.begin()->second.front();
  return Status::Corruption("lesson " + lost.id + " of course " + lost.course_id +
                            " is in a module that does not exist, " + lost.module_id);
}

}  // namespace

Result<Platform> Platform::Open(const Database& database, const PlatformOptions& options) {
  Result<EntityTable> table = EntityTable::Open(
      database, {.name = kTableName, .indexes = {kIndex}, .observer = options.observer});
  if (!table.ok()) return table.status();
  return Platform(*std::move(table));
}

Result<Student> Platform::RegisterStudent(const Student& student) const {
  return table_.Create(student);
}

Result<Course> Platform::CreateCourse(const Course& course) const { return table_.Create(course); }

Result<Module> Platform::AddModule(Module module) const {
  if (module.id.empty()) module.id = table_.NewUlid();
  const Status added =
      table_.Transact().Create(module).Require(Course{.id = module.course_id}).Commit();
  if (!added.ok()) return added;
  return module;
}

Result<Lesson> Platform::AddLesson(Lesson lesson) const {
  if (lesson.id.empty()) lesson.id = table_.NewUlid();
  const Status added = table_.Transact()
                           .Create(lesson)
                           .Require(Module{.course_id = lesson.course_id, .id = lesson.module_id})
                           .Commit();
  if (!added.ok()) return added;
  return lesson;
}

Status Platform::MoveModule(const ModuleId& id, std::int32_t position) const {
  return table_.Update(Module{.course_id = id.course_id, .id = id.module_id})
      .Set<&Module::position>(position)
      .Commit()
      .status();
}

Status Platform::MoveLesson(const LessonId& id, std::int32_t position) const {
  return table_
      .Update(Lesson{.course_id = id.course_id, .module_id = id.module_id, .id = id.lesson_id})
      .Set<&Lesson::position>(position)
      .Commit()
      .status();
}

Status Platform::Enrol(const EnrolmentId& id, std::optional<Timestamp> at) const {
  const Timestamp enrolled_at = at.value_or(table_.Now());
  return table_.Transact()
      .Create(StudentEnrolment{.id = id, .enrolled_at = enrolled_at})
      .Create(CourseEnrolment{.id = id, .enrolled_at = enrolled_at, .last_seen = enrolled_at})
      .Require(Student{.id = id.student_id})
      .Require(Course{.id = id.course_id})
      .Commit();
}

Status Platform::SetProgress(const EnrolmentId& id, std::int32_t percent) const {
  if (percent < 0 || percent > kProgressMax) {
    return Status::Validation("progress must be 0 to 100 per cent, not " + std::to_string(percent));
  }
  return table_.Transact()
      .Update(StudentEnrolment{.id = id},
              Changes<StudentEnrolment>().Set<&StudentEnrolment::progress>(percent))
      .Update(CourseEnrolment{.id = id},
              Changes<CourseEnrolment>().Set<&CourseEnrolment::progress>(percent))
      .Commit();
}

Status Platform::SetLastSeen(const EnrolmentId& id, Timestamp at) const {
  const Status seen = table_.Update(CourseEnrolment{.id = id})
                          .Set<&CourseEnrolment::last_seen>(at)
                          .If(AttrOf<&CourseEnrolment::last_seen>() < at)
                          .Commit()
                          .status();
  // A failed condition means that a later time is stored already, so the call succeeds.
  return seen.code() == StatusCode::kConditionalCheckFailed ? Status() : seen;
}

Status Platform::Withdraw(const EnrolmentId& id) const {
  return table_.Transact()
      .Remove(StudentEnrolment{.id = id})
      .Remove(CourseEnrolment{.id = id})
      .Commit();
}

Result<Student> Platform::GetStudent(const std::string& student_id) const {
  return table_.Get(Student{.id = student_id});
}

Result<std::vector<StudentEnrolment>> Platform::ListCourses(const std::string& student_id) const {
  return table_.Query<StudentEnrolment>()
      .With<&StudentEnrolment::id, &EnrolmentId::student_id>(student_id)
      .All();
}

Result<EntityPage<StudentEnrolment>> Platform::ListStudents(const CourseStudentQuery& query) const {
  return table_.Query<StudentEnrolment>(kIndex)
      .With<&StudentEnrolment::id, &EnrolmentId::course_id>(query.course_id)
      .From(query.cursor)
      .Limit(query.limit)
      .Page();
}

Result<EntityPage<CourseEnrolment>> Platform::ListAttendance(
    const CourseStudentQuery& query) const {
  return table_.Query<CourseEnrolment>()
      .With<&CourseEnrolment::id, &EnrolmentId::course_id>(query.course_id)
      .From(query.cursor)
      .Limit(query.limit)
      .Page();
}

Result<std::vector<Course>> Platform::ListCoursesOfInstructor(
    const std::string& instructor_id) const {
  return table_.Query<Course>(kIndex).With<&Course::instructor_id>(instructor_id).All();
}

Result<std::vector<ModuleWithLessons>> Platform::GetStructure(const std::string& course_id) const {
  auto content = table_.Query<Module, Lesson>().With<&Module::course_id>(course_id).Grouped();
  if (!content.ok()) return content.status();
  auto& [modules, lessons] = *content;
  return BuildStructure(std::move(modules), std::move(lessons));
}

Result<std::vector<Module>> Platform::ListModules(const std::string& course_id) const {
  return Sorted(table_.Query<Module>().With<&Module::course_id>(course_id).All());
}

Result<std::vector<Lesson>> Platform::ListLessons(const ModuleId& id) const {
  return Sorted(table_.Query<Lesson>()
                    .With<&Lesson::course_id>(id.course_id)
                    .With<&Lesson::module_id>(id.module_id)
                    .All());
}

Result<EntityPage<Student>> Platform::ListAllStudents(const StudentQuery& query) const {
  auto students = table_.Query<Student>(kIndex).AllShards<&Student::shard>();
  if (query.joined_from) students.AtLeast<&Student::joined_at>(*query.joined_from);
  return students.From(query.cursor).Limit(query.limit).Page();
}

Result<Course> Platform::GetCourse(const std::string& course_id) const {
  return table_.Get(Course{.id = course_id});
}

Result<CourseEnrolment> Platform::GetEnrolment(const EnrolmentId& id) const {
  return table_.Get(CourseEnrolment{.id = id});
}

}  // namespace dolmen::course
