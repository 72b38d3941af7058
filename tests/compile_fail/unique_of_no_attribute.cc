// Checks that the compiler rejects a unique member that has no attribute.
// error: Unique() names a member that has no attribute

#include <dolmen/entity/definition.h>

#include <string>

namespace dolmen {

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
                            {PrimaryKey("TASK#{id}")})
#ifdef WRONG
      .Unique<&Task::note>("noteClaim");
#else
      .Unique<&Task::title>("titleClaim");
#endif
}
static_assert(!entity::kSpec<Task>.uniques.empty());

}  // namespace dolmen
