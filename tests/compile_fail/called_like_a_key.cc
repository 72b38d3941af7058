// Checks that the compiler rejects an attribute with the name of a key attribute.
// error: an attribute has the name of a key
// error: "GSI1PK"

#include <dolmen/entity/definition.h>

#include <string>

namespace dolmen {

struct Message {
  std::string conversation_id = {};
  std::string body = {};
};

#ifdef WRONG
constexpr AttributeOf<Message> kAttribute = Attribute<&Message::body>("GSI1PK");
#else
constexpr AttributeOf<Message> kAttribute = Attribute<&Message::body>("body");
#endif

constexpr auto DescribeEntity(const Message*) {
  return DefineEntity<Message>(
      "message", {Attribute<&Message::conversation_id>("conversationId"), kAttribute},
      {PrimaryKey("CONVO#{conversationId}"), IndexKey("GSI1", "MESSAGES", "{conversationId}")});
}
static_assert(entity::kSpec<Message>.name == "message");

}  // namespace dolmen
