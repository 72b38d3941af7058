// Checks that the compiler rejects a Derived attribute that names a member without an attribute.
// error: Derived() names a member that has no attribute
// error: "label"

#include <dolmen/entity/definition.h>

#include <string>

namespace dolmen {

struct Task {
  std::string id = {};
  std::string title = {};
  std::string label = {};
  std::string note = {};
};
inline std::string Upper(const std::string& text) { return text; }

constexpr auto DescribeEntity(const Task*) {
  return DefineEntity<Task>("task",
                            {Attribute<&Task::id>("id"), Attribute<&Task::title>("title"),
#ifdef WRONG
                             Attribute<&Task::label>("label").Derived<Upper, &Task::note>()
#else
                             Attribute<&Task::label>("label").Derived<Upper, &Task::title>()
#endif
                            },
                            {PrimaryKey("TASK#{id}")});
}
static_assert(EntityName<Task>() == "task");

}  // namespace dolmen
