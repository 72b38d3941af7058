// Checks that the compiler rejects a Boolean attribute as a part of a key.
// error: an attribute of this type cannot be in a key template
// error: "isRead"

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
constexpr auto kKey = PrimaryKey("CONVO#{isRead}");
#else
constexpr auto kKey = PrimaryKey("CONVO#{number}");
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
