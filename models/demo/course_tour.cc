#include "models/demo/course_tour.h"

#include <string>
#include <vector>

#include "models/course/course.h"
#include "models/course/sample.h"
#include "models/demo/print.h"
#include "models/demo/step.h"

namespace dolmen::demo {
namespace {

using course::CourseEnrolment;
using course::EnrolmentId;
using course::Platform;

Rows StudentRows(const std::vector<course::Student>& students) {
  Rows rows;
  for (const course::Student& student : students) {
    rows.push_back({student.id, student.name, ToIso8601(student.joined_at),
                    "shard " + std::to_string(student.shard.number())});
  }
  return rows;
}

Rows EnrolmentRows(const std::vector<course::StudentEnrolment>& enrolments) {
  Rows rows;
  for (const course::StudentEnrolment& enrolment : enrolments) {
    rows.push_back({enrolment.id.student_id, enrolment.id.course_id,
                    "since " + ToIso8601(enrolment.enrolled_at),
                    std::to_string(enrolment.progress) + " %"});
  }
  return rows;
}

Rows AttendanceRows(const EntityPage<CourseEnrolment>& page) {
  Rows rows;
  for (const CourseEnrolment& enrolment : page.items) {
    rows.push_back({enrolment.id.student_id, std::to_string(enrolment.progress) + " %",
                    "last seen " + ToIso8601(enrolment.last_seen)});
  }
  return rows;
}

Rows CourseRows(const std::vector<course::Course>& courses) {
  Rows rows;
  for (const course::Course& one : courses) {
    rows.push_back({one.id, one.title, one.description});
  }
  return rows;
}

Rows ModuleRows(const std::vector<course::Module>& modules) {
  Rows rows;
  for (const course::Module& module : modules) rows.push_back({module.id, module.title});
  return rows;
}

Rows LessonRows(const std::vector<course::Lesson>& lessons) {
  Rows rows;
  for (const course::Lesson& lesson : lessons) {
    rows.push_back({lesson.id, lesson.title, std::to_string(lesson.duration_min) + " min"});
  }
  return rows;
}

Rows StructureRows(const std::vector<course::ModuleWithLessons>& structure) {
  Rows rows;
  for (const course::ModuleWithLessons& part : structure) {
    rows.push_back({part.module.id, part.module.title, ""});
    for (const course::Lesson& lesson : part.lessons) {
      rows.push_back(
          {"  " + lesson.id, "  " + lesson.title, std::to_string(lesson.duration_min) + " min"});
    }
  }
  return rows;
}

Status ShowPeople(const Platform& platform, const RequestLog& log) {
  Status status = ShowStep(
      log, {"AP1", "A student's profile"}, [&] { return platform.GetStudent("s1"); },
      [](const course::Student& student) { return StudentRows({student}); });
  if (!status.ok()) return status;
  status = ShowStep(
      log, {"AP2", "A student's courses"}, [&] { return platform.ListCourses("s1"); },
      EnrolmentRows);
  if (!status.ok()) return status;
  status = ShowStep(
      log, {"AP3", "A course's students"}, [&] { return platform.ListStudents("c10"); },
      [](const EntityPage<course::StudentEnrolment>& page) { return EnrolmentRows(page.items); });
  if (!status.ok()) return status;
  status = ShowStep(
      log, {"", "A course's students with when they were last seen, from the course's partition"},
      [&] { return platform.ListAttendance("c10"); }, AttendanceRows);
  if (!status.ok()) return status;
  return ShowStep(
      log, {"AP4", "An instructor's courses"},
      [&] { return platform.ListCoursesOfInstructor("i5"); }, CourseRows);
}

Status ShowContent(const Platform& platform, const RequestLog& log) {
  Status status = ShowStep(
      log, {"AP5", "A course's whole structure"}, [&] { return platform.GetStructure("c10"); },
      StructureRows);
  if (!status.ok()) return status;
  status = ShowStep(
      log, {"AP6", "A course's modules alone"}, [&] { return platform.ListModules("c10"); },
      ModuleRows);
  if (!status.ok()) return status;
  return ShowStep(
      log, {"AP7", "The lessons of one module"},
      [&] { return platform.ListLessons({.course_id = "c10", .id = "m1"}); }, LessonRows);
}

Status ShowAllStudents(const Platform& platform, const RequestLog& log) {
  course::PageInput input = {.limit = 3};
  for (int page_number = 1; page_number <= 2; ++page_number) {
    const std::string name =
        "All students by date, from ten shards, page " + std::to_string(page_number);
    Status status = ShowStep(
        log, {"", name}, [&] { return platform.ListAllStudents({}, input); },
        [&](const EntityPage<course::Student>& page) {
          input.cursor = page.next_cursor;
          return StudentRows(page.items);
        });
    if (!status.ok()) return status;
  }
  return {};
}

void ShowRules(const Platform& platform, const RequestLog& log) {
  ShowOutcome(log, {"", "Register a second student with Ana's address"}, [&] {
    return platform.RegisterStudent({.name = "Eva", .email = "ana@example.com"}).status();
  });
  const course::Lesson lesson = {.course_id = "c10", .module_id = "m1", .id = "l2"};
  ShowOutcome(log, {"", "Move a lesson to another module: delete and put, if it is unchanged"},
              [&] { return platform.MoveLesson(lesson, "m2", 2); });
  ShowOutcome(log, {"", "Move it back"}, [&] {
    return platform.MoveLesson({.course_id = "c10", .module_id = "m2", .id = "l2"}, "m1", 2);
  });
  ShowOutcome(log, {"", "Verify that every enrolment has both edges"},
              [&] { return platform.VerifyEnrolments().status(); });
}

void ShowEnrolment(const Platform& platform, const RequestLog& log) {
  const EnrolmentId id = {"s3", "c10"};
  ShowOutcome(log, {"", "Enrol a student: put both edges, if the student and the course exist"},
              [&] { return platform.Enrol(id); });
  ShowOutcome(log, {"", "Enrol the same student again"}, [&] { return platform.Enrol(id); });
  ShowOutcome(log, {"", "Enrol a student who does not exist"}, [&] {
    return platform.Enrol({"s9", "c10"});
  });
  ShowOutcome(log, {"", "Set the progress, on both edges"},
              [&] { return platform.SetProgress(id, 10); });
  ShowOutcome(log, {"", "Set a lower progress"}, [&] { return platform.SetProgress(id, 5); });
  ShowOutcome(log, {"", "Set when the student was last seen, on the course's edge only"},
              [&] { return platform.SetLastSeen(id, Clock::System()->Now()); });
  ShowOutcome(log, {"", "Withdraw: delete both edges"}, [&] { return platform.Withdraw(id); });
}

}  // namespace

Status ShowCourse(const std::filesystem::path& directory) {
  PrintTitle("Courses", directory.string());
  const Result<Database> database = Database::Open(directory);
  if (!database.ok()) return database.status();
  const RequestLog log;
  const Result<Platform> platform = Platform::Open(*database, log.observer());
  if (!platform.ok()) return platform.status();
  if (Status status = LoadSampleData(*platform); !status.ok()) return status;

  for (const auto& show : {ShowPeople, ShowContent, ShowAllStudents}) {
    if (Status status = show(*platform, log); !status.ok()) return status;
  }
  ShowEnrolment(*platform, log);
  ShowRules(*platform, log);
  return {};
}

}  // namespace dolmen::demo
