#include "models/course/sample.h"

#include <chrono>

namespace dolmen::course {
namespace {

using namespace std::chrono_literals;
using std::chrono::sys_days;

constexpr Timestamp kFirstEnrolment = sys_days(2024y / 9 / 2) + 8h;

// Turns kResourceInUse into success. The error means that an earlier call has loaded the item.
Status Accept(const Status& status) {
  return status.code() == StatusCode::kResourceInUse ? Status() : status;
}

Status LoadStudents(const Platform& platform) {
  const std::vector<Student> students = {{.id = "s1",
                                          .name = "Ana Souza",
                                          .email = "ana@example.com",
                                          .joined_at = sys_days(2024y / 9 / 1)},
                                         {.id = "s2",
                                          .name = "Bruno Lima",
                                          .email = "bruno@example.com",
                                          .joined_at = sys_days(2024y / 3 / 1)},
                                         {.id = "s3",
                                          .name = "Carla Nunes",
                                          .email = "carla@example.com",
                                          .joined_at = sys_days(2023y / 11 / 20)},
                                         {.id = "s4",
                                          .name = "Davi Rocha",
                                          .email = "davi@example.com",
                                          .joined_at = sys_days(2024y / 9 / 1) + 14h}};
  for (const Student& student : students) {
    Status status = Accept(platform.RegisterStudent(student).status());
    if (!status.ok()) return status;
  }
  return {};
}

Status LoadCourses(const Platform& platform) {
  const std::vector<Course> courses = {{.id = "c10",
                                        .instructor_id = "i5",
                                        .title = "Single-Table Design",
                                        .description = "Access patterns first, keys second"},
                                       {.id = "c20",
                                        .instructor_id = "i5",
                                        .title = "Streams and Time to Live",
                                        .description = "Change feeds and expiry"},
                                       {.id = "c30",
                                        .instructor_id = "i6",
                                        .title = "Graphs",
                                        .description = "When a list of neighbours is not enough"}};
  for (const Course& course : courses) {
    if (Status status = Accept(platform.CreateCourse(course).status()); !status.ok()) return status;
  }
  return {};
}

Status LoadContent(const Platform& platform) {
  const std::vector<Module> modules = {
      {.course_id = "c10", .id = "m1", .title = "Keys", .position = 1},
      {.course_id = "c10", .id = "m2", .title = "Indexes", .position = 2},
      {.course_id = "c20", .id = "m1", .title = "Streams", .position = 1}};
  for (const Module& module : modules) {
    if (Status status = Accept(platform.AddModule(module).status()); !status.ok()) return status;
  }
  const std::vector<Lesson> lessons = {{.course_id = "c10",
                                        .module_id = "m1",
                                        .id = "l1",
                                        .title = "Partition keys",
                                        .position = 1,
                                        .duration_minutes = 12},
                                       {.course_id = "c10",
                                        .module_id = "m1",
                                        .id = "l2",
                                        .title = "Sort keys",
                                        .position = 2,
                                        .duration_minutes = 15},
                                       {.course_id = "c10",
                                        .module_id = "m2",
                                        .id = "l3",
                                        .title = "Overloading",
                                        .position = 1,
                                        .duration_minutes = 20}};
  for (const Lesson& lesson : lessons) {
    if (Status status = Accept(platform.AddLesson(lesson).status()); !status.ok()) return status;
  }
  return {};
}

// Enrols the student and sets the progress. Does not change an existing enrolment, because the
// student's progress can have changed since the first load.
Status Enrol(const Platform& platform, const EnrolmentId& id, Timestamp at, std::int32_t progress) {
  const Status enrolled = platform.Enrol(id, at);
  return enrolled.ok() ? platform.SetProgress(id, progress) : Accept(enrolled);
}

Status LoadEnrolments(const Platform& platform) {
  Status status = Enrol(platform, {"s1", "c10"}, kFirstEnrolment, 40);
  if (!status.ok()) return status;
  status = Enrol(platform, {"s1", "c20"}, kFirstEnrolment + 24h, 5);
  if (!status.ok()) return status;
  return Enrol(platform, {"s2", "c10"}, kFirstEnrolment + 48h, 75);
}

}  // namespace

Status LoadSampleData(const Platform& platform) {
  for (const auto& load : {LoadStudents, LoadCourses, LoadContent, LoadEnrolments}) {
    if (Status status = load(platform); !status.ok()) return status;
  }
  return {};
}

}  // namespace dolmen::course
