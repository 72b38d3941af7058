// Checks that the compiler rejects an edge whose inverse has other attributes in its key.
// error: the primary keys of an edge and its inverse need the same attributes
// error: courseEnrolment

#include <dolmen/entity/table_check.h>

#include <string>

namespace dolmen {

struct CourseEnrolment {
  std::string student = {};
  std::string course = {};
  std::string term = {};
};
#ifdef WRONG
constexpr auto kKey = PrimaryKey("COURSE#{course}", "STUDENT#{student}#{term}");
#else
constexpr auto kKey = PrimaryKey("COURSE#{course}", "STUDENT#{student}");
#endif
constexpr auto DescribeEntity(const CourseEnrolment*) {
  return DefineEntity<CourseEnrolment>(
      "courseEnrolment",
      {Attribute<&CourseEnrolment::student>("student"),
       Attribute<&CourseEnrolment::course>("course"), Attribute<&CourseEnrolment::term>("term")},
      {kKey});
}

struct StudentEnrolment {
  std::string student = {};
  std::string course = {};
  std::string term = {};
};
constexpr auto DescribeEntity(const StudentEnrolment*) {
  return DefineEntity<StudentEnrolment>("studentEnrolment",
                                        {Attribute<&StudentEnrolment::student>("student"),
                                         Attribute<&StudentEnrolment::course>("course"),
                                         Attribute<&StudentEnrolment::term>("term")},
                                        {PrimaryKey("STUDENT#{student}", "COURSE#{course}")})
      .Edge<CourseEnrolment>();
}
static_assert(CheckTable<StudentEnrolment, CourseEnrolment>());

}  // namespace dolmen
