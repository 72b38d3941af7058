// Checks that the compiler rejects a number without a width in a sort key, where 10 would sort
// before 5.
// error: a number in a sort key needs a width, as in {name:08}
// error: "number"

#include <dolmen/entity/definition.h>

#include <string>

namespace dolmen {

struct Message {
  std::string conversation_id = {};
  int number = 0;
  int part = 0;
};

#ifdef WRONG
constexpr auto kKey = PrimaryKey("CONVO#{conversationId}", "MSG#{number}#{part:unpadded}");
#else
constexpr auto kKey = PrimaryKey("CONVO#{conversationId}", "MSG#{number:08}#{part:unpadded}");
#endif

constexpr auto DescribeEntity(const Message*) {
  return DefineEntity<Message>(
      "message",
      {Attribute<&Message::conversation_id>("conversationId"),
       Attribute<&Message::number>("number"), Attribute<&Message::part>("part")},
      {kKey});
}
static_assert(entity::kSpec<Message>.name == "message");

}  // namespace dolmen
