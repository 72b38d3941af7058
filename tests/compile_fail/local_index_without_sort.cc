// Checks that the compiler rejects a key of a local index in a table without a sort key.
// error: a local index and its table need templates for their sort keys
// error: LSI1

#include <dolmen/entity/definition.h>

#include <string>

namespace dolmen {

struct Task {
  std::string id = {};
  int priority = 0;
};
constexpr auto DescribeEntity(const Task*) {
  return DefineEntity<Task>(
      "task", {Attribute<&Task::id>("id"), Attribute<&Task::priority>("priority")},
#ifdef WRONG
      {PrimaryKey("TASK#{id}"), LocalIndexKey("LSI1", "PRIORITY#{priority:02}")});
#else
      {PrimaryKey("TASK#{id}", "TASK"), LocalIndexKey("LSI1", "PRIORITY#{priority:02}")});
#endif
}
static_assert(entity::kSpec<Task>.keys.size() == 2);

}  // namespace dolmen
