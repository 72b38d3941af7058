#include <string>
#include <vector>

#include "models/course/course.h"
#include "models/course/design.h"
#include "models/demo/story.h"
#include "models/demo/tours.h"

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

void ShowPeople(const Platform& platform, Story* story) {
  story->Show(
      {"AP1", "A student's profile"}, [&] { return platform.GetStudent("s1"); },
      [](const course::Student& student) { return StudentRows({student}); });
  story->Show(
      {"AP2", "A student's courses"}, [&] { return platform.ListCourses("s1"); }, EnrolmentRows);
  story->Show(
      {"AP3", "A course's students"}, [&] { return platform.ListStudents("c10"); },
      [](const EntityPage<course::StudentEnrolment>& page) { return EnrolmentRows(page.items); });
  story->Show(
      {"", "A course's students with when they were last seen, from the course's partition"},
      [&] { return platform.ListAttendance("c10"); }, AttendanceRows);
  story->Show(
      {"AP4", "An instructor's courses"}, [&] { return platform.ListCoursesOfInstructor("i5"); },
      CourseRows);
}

void ShowContent(const Platform& platform, Story* story) {
  story->Show(
      {"AP5", "A course's whole structure"}, [&] { return platform.GetStructure("c10"); },
      StructureRows);
  story->Show(
      {"AP6", "A course's modules alone"}, [&] { return platform.ListModules("c10"); }, ModuleRows);
  story->Show(
      {"AP7", "The lessons of one module"},
      [&] { return platform.ListLessons({.course_id = "c10", .id = "m1"}); }, LessonRows);
}

void ShowAllStudents(const Platform& platform, Story* story) {
  PageInput input = {.limit = 3};
  for (int page_number = 1; page_number <= 2; ++page_number) {
    const std::string name =
        "All students by date, from ten shards, page " + std::to_string(page_number);
    story->Show(
        {"", name}, [&] { return platform.ListAllStudents({}, input); },
        [&](const EntityPage<course::Student>& page) {
          input.cursor = page.next_cursor;
          return StudentRows(page.items);
        });
  }
}

void ShowRules(const Platform& platform, Story* story) {
  story->Outcome({"", "Register a second student with Ana's address"}, [&] {
    return platform.RegisterStudent({.name = "Eva", .email = "ana@example.com"}).status();
  });
  const course::Lesson lesson = {.course_id = "c10", .module_id = "m1", .id = "l2"};
  story->Outcome({"", "Move a lesson to another module: delete and put, if it is unchanged"},
                 [&] { return platform.MoveLesson(lesson, "m2", 2); });
  story->Outcome({"", "Move it back"}, [&] {
    return platform.MoveLesson({.course_id = "c10", .module_id = "m2", .id = "l2"}, "m1", 2);
  });
  story->Outcome({"", "Verify that every enrolment has both edges"},
                 [&] { return platform.VerifyEnrolments().status(); });
}

void ShowEnrolment(const Platform& platform, Story* story) {
  const EnrolmentId id = {"s3", "c10"};
  story->Outcome({"", "Enrol a student: put both edges, if the student and the course exist"},
                 [&] { return platform.Enrol(id); });
  story->Outcome({"", "Enrol the same student again"}, [&] { return platform.Enrol(id); });
  story->Outcome({"", "Enrol a student who does not exist"}, [&] {
    return platform.Enrol({"s9", "c10"});
  });
  story->Outcome({"", "Set the progress, on both edges"},
                 [&] { return platform.SetProgress(id, 10); });
  story->Outcome({"", "Set a lower progress"}, [&] { return platform.SetProgress(id, 5); });
  story->Outcome(
      {"", "Store the time when the student was last seen, in the course's partition only"}, [&] {
        return platform.SetLastSeen(id, ParseIso8601("2026-04-16T10:00:00Z").value_or(Timestamp()));
      });
  story->Outcome({"", "Withdraw: delete both edges"}, [&] { return platform.Withdraw(id); });
}

}  // namespace

Status ShowCourse(const Database& database, ManualClock*, Page* page) {
  Story story(page, "Courses: students, courses, modules and lessons");
  const Result<Platform> platform = Platform::Open(database, story.observer());
  if (!platform.ok()) return platform.status();
  if (Status status = LoadSampleData(*platform); !status.ok()) return status;

  story.Draw(database, course::Design());
  for (const auto& show : {ShowPeople, ShowContent, ShowAllStudents, ShowEnrolment, ShowRules}) {
    show(*platform, &story);
  }
  return story.PrintCosts().status();
}

}  // namespace dolmen::demo
