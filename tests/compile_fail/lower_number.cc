// Checks that the compiler rejects the format `lower` for an attribute that is not a text.
// error: {name:lower} needs a text

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
constexpr auto kKey = PrimaryKey("CONVO#{number:lower}");
#else
constexpr auto kKey = PrimaryKey("CONVO#{conversationId:lower}");
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
