// Checks that the compiler rejects wrong Derived attributes.
//
// A Derived attribute that names one that is computed after it.
// wrong derived_before_its_input: TEST_DERIVED=Attribute<&Task::label>("label").Derived<Upper, &Task::note>(), Attribute<&Task::note>("note").Derived<Upper, &Task::title>()
// right: TEST_DERIVED=Attribute<&Task::note>("note").Derived<Upper, &Task::title>(), Attribute<&Task::label>("label").Derived<Upper, &Task::note>()
// error: Derived() names a Derived attribute that is declared later
// error: "label"
//
// A Derived attribute that names a member of another struct.
// wrong derived_of_another_struct: TEST_DERIVED=Attribute<&Task::label>("label").Derived<Upper, &Plan::title>()
// error: Derived needs members of the entity's struct
//
// A Derived attribute that names a member without an attribute.
// wrong derived_of_no_attribute: TEST_DERIVED=Attribute<&Task::label>("label").Derived<Upper, &Task::note>()
// error: Derived() names a member that has no attribute
// error: "label"
//
// A function of Derived that cannot take the member that it gets.
// wrong derived_of_wrong_type: TEST_DERIVED=Attribute<&Task::label>("label").Derived<Half, &Task::title>()
// error: the function of Derived cannot take its members or return the attribute's value

#include <dolmen/entity/definition.h>

#include <string>

namespace dolmen {

#ifndef TEST_DERIVED
#define TEST_DERIVED Attribute<&Task::label>("label").Derived<Upper, &Task::title>()
#endif

struct Task {
  std::string id = {};
  std::string title = {};
  std::string label = {};
  std::string note = {};
};
struct Plan {
  std::string title = {};
};
constexpr int Half(int number) { return number / 2; }
inline std::string Upper(const std::string& text) { return text; }

constexpr auto DescribeEntity(const Task*) {
  return DefineEntity<Task>(
      "task", {Attribute<&Task::id>("id"), Attribute<&Task::title>("title"), TEST_DERIVED},
      {PrimaryKey("TASK#{id}")});
}
static_assert(EntityName<Task>() == "task");

}  // namespace dolmen
