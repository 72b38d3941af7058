// Checks that the compiler rejects an optional attribute in the primary key. The key needs all of
// its parts.
// error: an attribute in the primary key must be Required()
// error: "conversationId"

#include <dolmen/entity/definition.h>

#include <optional>
#include <string>

namespace dolmen {

struct Message {
  std::optional<std::string> conversation_id = {};
};

#ifdef WRONG
constexpr AttributeOf<Message> kId = Attribute<&Message::conversation_id>("conversationId");
#else
constexpr AttributeOf<Message> kId =
    Attribute<&Message::conversation_id>("conversationId").Required();
#endif

constexpr auto DescribeEntity(const Message*) {
  return DefineEntity<Message>("message", {kId}, {PrimaryKey("CONVO#{conversationId}")});
}
static_assert(entity::kSpec<Message>.name == "message");

}  // namespace dolmen
