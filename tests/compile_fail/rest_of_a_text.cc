// Checks that the compiler rejects a Rest member that is not an Item.
// error: Rest needs a member of type Item

#include <dolmen/entity/definition.h>

#include <string>

namespace dolmen {

struct Box {
  std::string id = {};
  std::string note = {};
  Item rest = {};
};

constexpr auto DescribeEntity(const Box*) {
  return DefineEntity<Box>("box",
                           {Attribute<&Box::id>("id"),
#ifdef WRONG
                            Rest<&Box::note>()},
#else
                            Rest<&Box::rest>()},
#endif
                           {PrimaryKey("BOX#{id}")});
}
static_assert(entity::kSpec<Box>.name == "box");

}  // namespace dolmen
