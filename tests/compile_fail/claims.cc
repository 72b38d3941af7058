// Checks that the compiler rejects wrong claims of unique attributes.
//
// A claim whose name contains the separator of its key.
// wrong separator_in_a_claim: TEST_CLAIMS=.Unique<&Task::title>("title#claim")
// error: a claim needs a name without '#'
//
// A unique attribute that the program does not set itself.
// wrong unique_derived_value: TEST_CLAIMS=.Unique<&Task::label>("labelClaim")
// error: Unique() of an attribute that is InKeyOnly(), Always or Derived
//
// A unique member that has no attribute.
// wrong unique_of_no_attribute: TEST_CLAIMS=.Unique<&Task::note>("noteClaim")
// error: Unique() names a member that has no attribute
//
// A fifth unique attribute.
// wrong five_unique_attributes: TEST_CLAIMS=.Unique<&Task::title>("a").Unique<&Task::title>("b").Unique<&Task::title>("c").Unique<&Task::title>("d").Unique<&Task::title>("e")
// error: an entity has at most 4 unique attributes

#include <dolmen/entity/definition.h>

#include <string>

namespace dolmen {

#ifndef TEST_CLAIMS
#define TEST_CLAIMS .Unique<&Task::title>("titleClaim")
#endif

struct Task {
  std::string id = {};
  std::string title = {};
  std::string label = {};
  std::string note = {};
};
inline std::string LabelOf(const Task& task) { return task.title; }

constexpr auto DescribeEntity(const Task*) {
  return DefineEntity<Task>("task",
                            {Attribute<&Task::id>("id"), Attribute<&Task::title>("title"),
                             Attribute<&Task::label>("label").Derived<LabelOf>()},
                            {PrimaryKey("TASK#{id}")}) TEST_CLAIMS;
}
static_assert(!entity::kSpec<Task>.uniques.empty());

}  // namespace dolmen
