// Checks that the compiler rejects an attribute that is declared as stored only in the key, but is
// not part of the primary key.
// error: InKeyOnly() is not in the primary key
// error: "body"

#include <dolmen/entity/definition.h>

#include <string>

namespace dolmen {

struct Message {
  std::string conversation_id = {};
  std::string body = {};
};

#ifdef WRONG
constexpr AttributeOf<Message> kAttribute = Attribute<&Message::body>("body").InKeyOnly();
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
