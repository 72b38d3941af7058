// Checks that the compiler rejects two attributes with the same name.
// error: two attributes have the same name
// error: "conversationId"

#include <dolmen/entity/definition.h>

#include <string>

namespace dolmen {

struct Message {
  std::string conversation_id = {};
  std::string body = {};
};

#ifdef WRONG
constexpr AttributeOf<Message> kAttribute = Attribute<&Message::body>("conversationId");
#else
constexpr AttributeOf<Message> kAttribute = Attribute<&Message::body>("body");
#endif

constexpr auto DescribeEntity(const Message*) {
  return DefineEntity<Message>("message",
                               {Attribute<&Message::conversation_id>("conversationId"), kAttribute},
                               {PrimaryKey("CONVO#{conversationId}")});
}
static_assert(entity::kSpec<Message>.name == "message");

}  // namespace dolmen
