// Checks that the compiler rejects a key template that names an attribute that the entity does not
// have.
// error: a key template names an attribute that the entity does not have
// error: "conversation"

#include <dolmen/entity/definition.h>

#include <string>

namespace dolmen {

struct Message {
  std::string conversation_id = {};
  int number = 0;
  bool is_read = false;
  Timestamp sent_at = {};
};

#ifdef WRONG
constexpr auto kKey = PrimaryKey("CONVO#{conversation}");
#else
constexpr auto kKey = PrimaryKey("CONVO#{conversationId}");
#endif

constexpr auto DescribeEntity(const Message*) {
  return DefineEntity<Message>(
      "message",
      {Attribute<&Message::conversation_id>("conversationId"),
       Attribute<&Message::number>("number"), Attribute<&Message::is_read>("isRead"),
       Attribute<&Message::sent_at>("sentAt")},
      {kKey});
}
static_assert(entity::kSpec<Message>.name == "message");

}  // namespace dolmen
