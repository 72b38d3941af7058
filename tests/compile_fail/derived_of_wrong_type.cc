// Checks that the compiler rejects a function of Derived that cannot take the member that it gets.
// error: the function of Derived cannot take its members or return the attribute's value

#include <dolmen/entity/definition.h>

#include <string>

namespace dolmen {

struct Task {
  std::string id = {};
  std::string title = {};
  std::string label = {};
  std::string note = {};
};
constexpr int Half(int number) { return number / 2; }
inline std::string Upper(const std::string& text) { return text; }

constexpr auto DescribeEntity(const Task*) {
  return DefineEntity<Task>("task",
                            {Attribute<&Task::id>("id"), Attribute<&Task::title>("title"),
#ifdef WRONG
                             Attribute<&Task::label>("label").Derived<Half, &Task::title>()
#else
                             Attribute<&Task::label>("label").Derived<Upper, &Task::title>()
#endif
                            },
                            {PrimaryKey("TASK#{id}")});
}
static_assert(EntityName<Task>() == "task");

}  // namespace dolmen
