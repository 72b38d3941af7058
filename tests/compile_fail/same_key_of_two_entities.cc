// Checks that the compiler rejects two entities of a table that can have the same key: a message
// with the id 00000007, and the notice 7.
// error: two entities of a table can have the same key
// error: dolmen::Message
// error: dolmen::Notice

#include <dolmen/entity.h>

#include <string>

namespace dolmen {

struct Message {
  std::string conversation_id = {};
  std::string id = {};
};
constexpr auto DescribeEntity(const Message*) {
  return DefineEntity<Message>("message",
                               {Attribute<&Message::conversation_id>("conversationId"),
                                Attribute<&Message::id>("messageId")},
                               {PrimaryKey("CONVO#{conversationId}", "MSG#{messageId}")});
}

#ifdef WRONG
constexpr auto kKey = PrimaryKey("CONVO#{conversationId}", "MSG#{number:08}");
#else
constexpr auto kKey = PrimaryKey("CONVO#{conversationId}", "NOTICE#{number:08}");
#endif

struct Notice {
  std::string conversation_id = {};
  int number = 0;
};
constexpr auto DescribeEntity(const Notice*) {
  return DefineEntity<Notice>(
      "notice",
      {Attribute<&Notice::conversation_id>("conversationId"), Attribute<&Notice::number>("number")},
      {kKey});
}

static_assert(CheckTable<Message, Notice>());

}  // namespace dolmen
