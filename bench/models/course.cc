// The access patterns of models/course. A hundredth of the size is the number of courses. Each course
// has two modules with three lessons each, and 40 students, who are in this course alone: 169 items.

#include "models/course/course.h"

#include "bench/models/models.h"
#include "dolmen/design/benchmark.h"

namespace dolmen::bench {
namespace {

using course::Platform;

constexpr std::size_t kStudents = 40;

Status LoadCourse(const EntityTable& table, std::size_t number) {
  const std::string id = Id('c', number);
  std::vector<course::Module> modules;
  std::vector<course::Lesson> lessons;
  for (std::int32_t m = 0; m < 2; ++m) {
    modules.push_back({id, Id('m', m), "Keys", m});
    for (std::int32_t l = 0; l < 3; ++l) {
      lessons.push_back({id, Id('m', m), Id('l', l), "Sort keys", l, 10});
    }
  }
  std::vector<course::Student> students;
  std::vector<course::StudentEnrolment> enrolments;
  for (std::size_t i = 0; i < kStudents; ++i) {
    const std::string student = Id('s', number * kStudents + i);
    students.push_back({.id = student, .name = "Ana", .email = student + "@example.com"});
    enrolments.push_back({{student, id}, table.Now(), 5});
  }
  Status loaded = table.BatchPut<course::Course>({{id, Id('i', number / 4), "Design", "Keys"}});
  if (loaded.ok()) loaded = table.BatchPut(std::move(modules));
  if (loaded.ok()) loaded = table.BatchPut(std::move(lessons));
  if (loaded.ok()) loaded = table.BatchPut(std::move(students));
  return loaded.ok() ? table.BatchPut(std::move(enrolments)) : loaded;
}

// Loads the course to which the patterns write: two modules, a lesson, and an enrolled student.
Status LoadWritten(const Platform& app) {
  Status loaded = app.CreateCourse({.id = "written", .instructor_id = "nobody"}).status();
  for (const char* module : {"m0", "m1"}) {
    if (loaded.ok()) loaded = app.AddModule({.course_id = "written", .id = module}).status();
  }
  const course::Student student = {.id = "writer", .email = "writer@example.com"};
  if (loaded.ok()) loaded = app.RegisterStudent(student).status();
  return loaded.ok() ? app.Enrol({student.id, "written"}) : loaded;
}

Status Load(const Platform& platform, std::size_t size) {
  for (std::size_t number = 0; number < size / 100; ++number) {
    if (Status loaded = LoadCourse(platform.table(), number); !loaded.ok()) return loaded;
  }
  return LoadWritten(platform);
}

std::string CourseOf(BenchmarkCall call) { return Id('c', call.number % (call.size / 100)); }
std::string StudentOf(BenchmarkCall call) {
  return Id('s', call.number % (call.size / 100 * kStudents));
}

void AddReads(ModelBenchmark<Platform>* rows) {
  rows->Pattern("course", [](const Platform& app, BenchmarkCall call) {
    return app.GetCourse(CourseOf(call));
  });
  rows->Pattern("student", [](const Platform& app, BenchmarkCall call) {
    return app.GetStudent(StudentOf(call));
  });
  rows->Pattern("courses of a student", [](const Platform& app, BenchmarkCall call) {
    return app.ListCourses(StudentOf(call));
  });
  rows->Pattern("students of a course", [](const Platform& app, BenchmarkCall call) {
    return app.ListStudents(CourseOf(call));
  });
  rows->Pattern("attendance of a course", [](const Platform& app, BenchmarkCall call) {
    return app.ListAttendance(CourseOf(call));
  });
  rows->Pattern("courses of an instructor", [](const Platform& app, BenchmarkCall call) {
    return app.ListCoursesOfInstructor(Id('i', call.number % (call.size / 400)));
  });
  rows->Pattern("structure of a course", [](const Platform& app, BenchmarkCall call) {
    return app.GetStructure(CourseOf(call));
  });
  rows->Pattern("modules of a course", [](const Platform& app, BenchmarkCall call) {
    return app.ListModules(CourseOf(call));
  });
  rows->Pattern("lessons of a module", [](const Platform& app, BenchmarkCall call) {
    return app.ListLessons({.course_id = CourseOf(call), .id = "m1"});
  });
  rows->Pattern("page of all students", [](const Platform& app) { return app.ListAllStudents(); });
}

void AddWrites(ModelBenchmark<Platform>* rows) {
  rows->Pattern("create and remove a course", [](const Platform& app, BenchmarkCall call) {
    const std::string id = Id('w', call.number);
    const Status created = app.CreateCourse({.id = id, .instructor_id = "nobody"}).status();
    return created.ok() ? app.RemoveCourse(id) : created;
  });
  rows->Pattern("edit a course", [](const Platform& app, BenchmarkCall call) {
    return app.Edit(course::Course{.id = "written"},
                    Changes<course::Course>().Set<&course::Course::title>(Id('t', call.number)));
  });
  rows->Pattern("add and remove a module", [](const Platform& app) {
    const course::Module module = {.course_id = "written", .id = "m2", .title = "Keys"};
    const Status added = app.AddModule(module).status();
    return added.ok() ? app.RemoveModule(module) : added;
  });
  rows->Pattern("add, move and remove a lesson", [](const Platform& app) {
    course::Lesson lesson = {.course_id = "written", .module_id = "m0", .id = "l0"};
    Status status = app.AddLesson(lesson).status();
    if (status.ok()) status = app.MoveLesson(lesson, "m1", 1);
    lesson.module_id = "m1";
    return status.ok() ? app.RemoveLesson(lesson) : status;
  });
}

void AddWritesOfStudents(ModelBenchmark<Platform>* rows) {
  rows->Pattern("register and remove a student", [](const Platform& app, BenchmarkCall call) {
    const std::string id = Id('w', call.number);
    const Status registered =
        app.RegisterStudent({.id = id, .email = id + "@example.com"}).status();
    return registered.ok() ? app.RemoveStudent(id) : registered;
  });
  rows->Pattern("enrol and withdraw", [](const Platform& app) {
    const course::EnrolmentId id = {"s1", "written"};
    const Status enrolled = app.Enrol(id);
    return enrolled.ok() ? app.Withdraw(id) : enrolled;
  });
  rows->Pattern("set the progress", [](const Platform& app) {
    return app.SetProgress({"writer", "written"}, 50);
  });
  rows->Pattern("last seen", [](const Platform& app) {
    return app.SetLastSeen({"writer", "written"}, app.table().Now());
  });
}

}  // namespace

void AddCourse() {
  ModelBenchmark<Platform> rows(
      {.name = "course", .open = Platform::Open, .load = Load, .sizes = ModelSizes()});
  AddReads(&rows);
  AddWrites(&rows);
  AddWritesOfStudents(&rows);
}

}  // namespace dolmen::bench
