// Checks that the compiler rejects a table that lacks the inverse of an edge.
// error: the table lacks the entity that is the inverse of the edge
// error: studentEnrolment

#include <dolmen/entity/table_check.h>

#include <string>

namespace dolmen {

// A friendship is its own inverse.
struct Friendship {
  std::string student = {};
  std::string other = {};
};
constexpr auto DescribeEntity(const Friendship*) {
  return DefineEntity<Friendship>(
             "friendship",
             {Attribute<&Friendship::student>("student"), Attribute<&Friendship::other>("friend")},
             {PrimaryKey("STUDENT#{student}", "FRIEND#{friend}")})
      .Edge<Friendship>({{{"student", "friend"}, {"friend", "student"}}});
}

struct CourseEnrolment {
  std::string student = {};
  std::string course = {};
};
constexpr auto DescribeEntity(const CourseEnrolment*) {
  return DefineEntity<CourseEnrolment>("courseEnrolment",
                                       {Attribute<&CourseEnrolment::student>("student"),
                                        Attribute<&CourseEnrolment::course>("course")},
                                       {PrimaryKey("COURSE#{course}", "STUDENT#{student}")});
}

struct StudentEnrolment {
  std::string student = {};
  std::string course = {};
};
constexpr auto DescribeEntity(const StudentEnrolment*) {
  return DefineEntity<StudentEnrolment>("studentEnrolment",
                                        {Attribute<&StudentEnrolment::student>("student"),
                                         Attribute<&StudentEnrolment::course>("course")},
                                        {PrimaryKey("STUDENT#{student}", "COURSE#{course}")})
      .Edge<CourseEnrolment>();
}
#ifdef WRONG
static_assert(CheckTable<Friendship, StudentEnrolment>());
#else
static_assert(CheckTable<Friendship, StudentEnrolment, CourseEnrolment>());
#endif

}  // namespace dolmen
