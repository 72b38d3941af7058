#include "models/course/sample.h"

#include <chrono>

namespace dolmen::course {
namespace {

using namespace std::chrono_literals;
using std::chrono::sys_days;

constexpr Timestamp kSep2 = sys_days(2024y / 9 / 2) + 8h;
constexpr Timestamp kSep3 = kSep2 + 24h;
constexpr Timestamp kSep4 = kSep3 + 24h;

}  // namespace

Status LoadSampleData(const Platform& platform) {
  const Status loaded =
      platform.table()
          .Transact()
          .Put(Student{"s1", "Ana Souza", "ana@example.com", sys_days(2024y / 9 / 1)})
          .Put(Student{"s2", "Bruno Lima", "bruno@example.com", sys_days(2024y / 3 / 1)})
          .Put(Student{"s3", "Carla Nunes", "carla@example.com", sys_days(2023y / 11 / 20)})
          .Put(Student{"s4", "Davi Rocha", "davi@example.com", sys_days(2024y / 9 / 1) + 14h})
          .Put(Course{"c10", "i5", "Single-Table Design", "Access patterns first, keys second"})
          .Put(Course{"c20", "i5", "Streams and Time to Live", "Change feeds and expiry"})
          .Put(Course{"c30", "i6", "Graphs", "When a list of neighbours is not enough"})
          .Put(Module{"c10", "m1", "Keys", 1})
          .Put(Module{"c10", "m2", "Indexes", 2})
          .Put(Module{"c20", "m1", "Streams", 1})
          .Put(Lesson{"c10", "m1", "l1", "Partition keys", 1, 12})
          .Put(Lesson{"c10", "m1", "l2", "Sort keys", 2, 15})
          .Put(Lesson{"c10", "m2", "l3", "Overloading", 1, 20})
          .Put(StudentEnrolment{{"s1", "c10"}, kSep2, 40})
          .Put(StudentEnrolment{{"s1", "c20"}, kSep3, 5})
          .Put(StudentEnrolment{{"s2", "c10"}, kSep4, 75})
          .Commit();
  if (!loaded.ok()) return loaded;
  // The transaction has also written the courses' edges, with the current time as last_seen.
  return platform.table().BatchPut<CourseEnrolment>({{{"s1", "c10"}, kSep2, 40, kSep2},
                                                     {{"s1", "c20"}, kSep3, 5, kSep3},
                                                     {{"s2", "c10"}, kSep4, 75, kSep4}});
}

}  // namespace dolmen::course
