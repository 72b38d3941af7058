// Checks that the compiler rejects a key part of format `any` that is not the last part of its key.
// error: {name:any} must be the last part

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
constexpr auto kKey = PrimaryKey("{conversationId:any}#{number}");
#else
constexpr auto kKey = PrimaryKey("{number}#{conversationId:any}");
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
