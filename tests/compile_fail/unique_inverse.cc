// Checks that the compiler rejects an edge whose inverse has unique attributes.
// error: the inverse of an edge cannot have unique attributes
// error: courseEnrolment

#include <dolmen/entity/table_check.h>

#include <string>

namespace dolmen {

struct CourseEnrolment {
  std::string student = {};
  std::string course = {};
  std::string term = {};
};
constexpr auto DescribeEntity(const CourseEnrolment*) {
  return DefineEntity<CourseEnrolment>("courseEnrolment",
                                       {Attribute<&CourseEnrolment::student>("student"),
                                        Attribute<&CourseEnrolment::course>("course"),
                                        Attribute<&CourseEnrolment::term>("term")},
                                       {PrimaryKey("COURSE#{course}", "STUDENT#{student}")})
#ifdef WRONG
      .Unique<&CourseEnrolment::term>("termClaim")
#endif
      ;
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
