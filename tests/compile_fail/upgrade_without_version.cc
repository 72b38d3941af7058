// Checks that the compiler rejects an upgrade from a version that the entity does not precede.
// error: From<N> needs a greater Version()

#include <dolmen/entity/definition.h>

#include <string>

namespace dolmen {

struct Task {
  std::string id = {};
};

#ifdef WRONG
constexpr int kFrom = 3;
#else
constexpr int kFrom = 2;
#endif

constexpr auto DescribeEntity(const Task*) {
  return DefineEntity<Task>("task", {Attribute<&Task::id>("id")}, {PrimaryKey("TASK#{id}")})
      .Version(3)
      .From<kFrom>([](Item& item) { item["hours"] = 8; });
}
static_assert(entity::kSpec<Task>.format == 3);

}  // namespace dolmen
