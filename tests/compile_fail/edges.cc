// Checks that the compiler rejects wrong edges.
//
// An edge whose inverse has other attributes in its key.
// wrong edge_with_other_keys: TEST_KEY=PrimaryKey("COURSE#{course}", "STUDENT#{student}#{term}")
// error: the primary keys of an edge and its inverse need the same attributes
// error: courseEnrolment
//
// An edge whose inverse has unique attributes.
// wrong unique_inverse: TEST_CLAIM=.Unique<&CourseEnrolment::term>("termClaim")
// error: the inverse of an edge cannot have unique attributes
// error: courseEnrolment
//
// An entity with two inverses.
// wrong two_edges: TEST_EDGES=.Edge<CourseEnrolment>().Edge<CourseEnrolment>()
// error: an entity has at most one Edge()
// error: studentEnrolment

#include <dolmen/entity/table_check.h>

#include <string>

namespace dolmen {

#ifndef TEST_KEY
#define TEST_KEY PrimaryKey("COURSE#{course}", "STUDENT#{student}")
#endif
#ifndef TEST_CLAIM
#define TEST_CLAIM
#endif
#ifndef TEST_EDGES
#define TEST_EDGES .Edge<CourseEnrolment>()
#endif

struct CourseEnrolment {
  std::string student = {};
  std::string course = {};
  std::string term = {};
};
constexpr auto DescribeEntity(const CourseEnrolment*) {
  return DefineEntity<CourseEnrolment>(
      "courseEnrolment",
      {Attribute<&CourseEnrolment::student>("student"),
       Attribute<&CourseEnrolment::course>("course"), Attribute<&CourseEnrolment::term>("term")},
      {TEST_KEY}) TEST_CLAIM;
}

struct StudentEnrolment {
  std::string student = {};
  std::string course = {};
  std::string term = {};
};
constexpr auto DescribeEntity(const StudentEnrolment*) {
  return DefineEntity<StudentEnrolment>(
      "studentEnrolment",
      {Attribute<&StudentEnrolment::student>("student"),
       Attribute<&StudentEnrolment::course>("course"), Attribute<&StudentEnrolment::term>("term")},
      {PrimaryKey("STUDENT#{student}", "COURSE#{course}")}) TEST_EDGES;
}
static_assert(CheckTable<StudentEnrolment, CourseEnrolment>());

}  // namespace dolmen
