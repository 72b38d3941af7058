#include "models/course/course.h"

#include <algorithm>
#include <tuple>

namespace dolmen::course {
namespace {

// Sorts by order_num, then by id, because two entities can have the same order_num.
template <typename Ordered>
std::vector<Ordered> Sorted(std::vector<Ordered> all) {
  std::ranges::sort(all, {}, [](const Ordered& one) { return std::tie(one.order_num, one.id); });
  return all;
}

// Returns a tree of the modules and lessons of a course. Leaves out the lessons of a module that
// RemoveModule has removed.
std::vector<ModuleWithLessons> BuildStructure(
    std::tuple<std::vector<Module>, std::vector<Lesson>> content) {
  auto& [modules, lessons] = content;
  std::vector<ModuleWithLessons> structure;
  for (Module& module : Sorted(std::move(modules))) structure.push_back({std::move(module), {}});
  for (Lesson& lesson : Sorted(std::move(lessons))) {
    const auto has_lesson = [&](const auto& part) { return part.module.id == lesson.module_id; };
    const auto owner = std::ranges::find_if(structure, has_lesson);
    if (owner != structure.end()) owner->lessons.push_back(std::move(lesson));
  }
  return structure;
}

// Creates a part of an owner that exists, and returns it as stored.
template <typename Owner, typename Part>
Result<Part> AddTo(const EntityTable& table, const Owner& owner, Part part) {
  if (part.id.empty()) part.id = table.NewUlid();
  const Status added = table.Transact().Create(part).Require(owner).Commit();
  if (!added.ok()) return added;
  return part;
}

// Returns the queries of a student's courses, a course's students, a course's modules, and a module's
// lessons.
auto Courses(const EntityTable& table, const std::string& student_id) {
  return table.Query<StudentEnrolment>().With<&StudentEnrolment::id, &EnrolmentId::student_id>(
      student_id);
}
auto Students(const EntityTable& table, const std::string& course_id) {
  return table.Query<StudentEnrolment>(Platform::kIndex)
      .With<&StudentEnrolment::id, &EnrolmentId::course_id>(course_id);
}
auto Modules(const EntityTable& table, const std::string& course_id) {
  return table.Query<Module>().With<&Module::course_id>(course_id);
}
auto Lessons(const EntityTable& table, const Module& key) {
  return table.Query<Lesson>()
      .With<&Lesson::course_id>(key.course_id)
      .With<&Lesson::module_id>(key.id);
}

// Removes the owner, then all parts that each query finds. Nothing can be added to an owner that is
// gone, so no part is left behind.
template <typename Owner, typename... Queries>
Status RemoveWithParts(const EntityTable& table, const Owner& owner, const Queries&... queries) {
  Status status = table.BatchRemove<Owner>({owner});
  const auto remove = [&](const auto& parts) { return table.BatchRemove(parts); };
  ((status = status.ok() ? queries.All().and_then(remove) : status), ...);
  return status;
}

}  // namespace

Result<Platform> Platform::Open(const Database& database, RequestObserver observer) {
  return EntityTable::Open(
             database, {.name = kTableName, .indexes = {kIndex}, .observer = std::move(observer)})
      .transform([](EntityTable table) { return Platform(std::move(table)); });
}

Result<Module> Platform::AddModule(const Module& module) const {
  return AddTo(table_, Course{.id = module.course_id}, module);
}

Result<Lesson> Platform::AddLesson(const Lesson& lesson) const {
  return AddTo(table_, Module{.course_id = lesson.course_id, .id = lesson.module_id}, lesson);
}

Status Platform::MoveLesson(const Lesson& key, const std::string& module_id,
                            std::int32_t order_num) const {
  return table_.Get(key).and_then([&](const Lesson& lesson) {
    const auto is_unchanged = AttrOf<&Lesson::title>() == lesson.title &&
                              AttrOf<&Lesson::order_num>() == lesson.order_num &&
                              AttrOf<&Lesson::duration_min>() == lesson.duration_min;
    Lesson moved = lesson;
    moved.module_id = module_id;
    moved.order_num = order_num;
    return table_.Transact()
        .Remove(lesson, is_unchanged, "the lesson was edited at the same time")
        .Create(moved)
        .Require(Module{.course_id = key.course_id, .id = module_id})
        .Commit();
  });
}

Status Platform::RemoveStudent(const std::string& id) const {
  return RemoveWithParts(table_, Student{.id = id}, Courses(table_, id));
}

Status Platform::RemoveModule(const Module& key) const {
  return RemoveWithParts(table_, key, Lessons(table_, key));
}

Status Platform::RemoveCourse(const std::string& id) const {
  // Modules before lessons: a module is the owner of its lessons.
  return RemoveWithParts(table_, Course{.id = id}, Modules(table_, id),
                         table_.Query<Lesson>().With<&Lesson::course_id>(id), Students(table_, id));
}

Status Platform::Enrol(const EnrolmentId& id, Timestamp at) const {
  return table_.Transact()
      .Create(StudentEnrolment{.id = id, .enrolled_at = at})
      .Require(Student{.id = id.student_id})
      .Require(Course{.id = id.course_id})
      .Commit();
}

Status Platform::SetProgress(const EnrolmentId& id, std::int32_t percent) const {
  return table_.Update(StudentEnrolment{.id = id})
      .Set<&StudentEnrolment::progress>(percent)
      .If(AttrOf<&StudentEnrolment::progress>() <= percent, "progress does not fall")
      .Commit()
      .status();
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

Result<std::vector<StudentEnrolment>> Platform::ListCourses(const std::string& student_id) const {
  return Courses(table_, student_id).All();
}

Result<EntityPage<StudentEnrolment>> Platform::ListStudents(const std::string& course_id,
                                                            const PageInput& page) const {
  return Students(table_, course_id).From(page.cursor).Limit(page.limit).Page();
}

Result<EntityPage<CourseEnrolment>> Platform::ListAttendance(const std::string& course_id,
                                                             const PageInput& page) const {
  return table_.Query<CourseEnrolment>()
      .With<&CourseEnrolment::id, &EnrolmentId::course_id>(course_id)
      .From(page.cursor)
      .Limit(page.limit)
      .Page();
}

Result<std::vector<ModuleWithLessons>> Platform::GetStructure(const std::string& course_id) const {
  return table_.Query<Module, Lesson>().With<&Module::course_id>(course_id).Grouped().transform(
      BuildStructure);
}

Result<std::vector<Module>> Platform::ListModules(const std::string& course_id) const {
  return Modules(table_, course_id).All().transform(Sorted<Module>);
}

Result<std::vector<Lesson>> Platform::ListLessons(const Module& key) const {
  return Lessons(table_, key).All().transform(Sorted<Lesson>);
}

Result<EntityPage<Student>> Platform::ListAllStudents(Timestamp from, const PageInput& page) const {
  return table_.Query<Student>(kIndex)
      .AllShards<&Student::shard>()
      .AtLeast<&Student::joined_at>(from)
      .From(page.cursor)
      .Limit(page.limit)
      .Page();
}

}  // namespace dolmen::course
