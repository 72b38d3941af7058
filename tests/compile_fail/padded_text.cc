// Checks that the compiler rejects a zero-padded format for an attribute that is not an integer.
// error: {name:04} needs an integer
// error: "conversationId:04"

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
constexpr auto kKey = PrimaryKey("CONVO#{conversationId:04}");
#else
constexpr auto kKey = PrimaryKey("CONVO#{number:04}");
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
