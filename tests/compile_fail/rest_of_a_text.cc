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

#ifdef WRONG
constexpr AttributeOf<Box> kRest = Rest<&Box::note>();
#else
constexpr AttributeOf<Box> kRest = Rest<&Box::rest>();
#endif

constexpr auto DescribeEntity(const Box*) {
  return DefineEntity<Box>("box", {Attribute<&Box::id>("id"), kRest}, {PrimaryKey("BOX#{id}")});
}
static_assert(entity::kSpec<Box>.name == "box");

}  // namespace dolmen
