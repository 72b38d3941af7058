// Checks that the compiler rejects an edge with an attribute that only one direction computes.
// error: an attribute of an edge that is Always or Derived must be so in the inverse
// error: label

#include <dolmen/entity/table_check.h>

#include <string>

namespace dolmen {

struct CourseEnrolment {
  std::string student = {};
  std::string course = {};
  std::string label = {};
};
struct StudentEnrolment {
  std::string student = {};
  std::string course = {};
  std::string label = {};
};
template <typename Enrolment>
std::string LabelOf(const Enrolment& enrolment) {
  return enrolment.student + " in " + enrolment.course;
}

constexpr auto DescribeEntity(const CourseEnrolment*) {
  return DefineEntity<CourseEnrolment>("courseEnrolment",
                                       {Attribute<&CourseEnrolment::student>("student"),
                                        Attribute<&CourseEnrolment::course>("course"),
#ifdef WRONG
                                        Attribute<&CourseEnrolment::label>("label")
#else
                                        Attribute<&CourseEnrolment::label>("label")
                                            .Derived<LabelOf<CourseEnrolment>>()
#endif
                                       },
                                       {PrimaryKey("COURSE#{course}", "STUDENT#{student}")});
}
constexpr auto DescribeEntity(const StudentEnrolment*) {
  return DefineEntity<StudentEnrolment>(
             "studentEnrolment",
             {Attribute<&StudentEnrolment::student>("student"),
              Attribute<&StudentEnrolment::course>("course"),
              Attribute<&StudentEnrolment::label>("label").Derived<LabelOf<StudentEnrolment>>()},
             {PrimaryKey("STUDENT#{student}", "COURSE#{course}")})
      .Edge<CourseEnrolment>();
}
static_assert(CheckTable<StudentEnrolment, CourseEnrolment>());

}  // namespace dolmen
