// Checks that the compiler rejects two entities of a table with the same name.
// error: two entities of a table have the same name
// error: dolmen::Message
// error: dolmen::Notice

#include <dolmen/entity.h>

#include <string>
#include <string_view>

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
constexpr std::string_view kName = "message";
#else
constexpr std::string_view kName = "notice";
#endif

struct Notice {
  std::string conversation_id = {};
  int number = 0;
};
constexpr auto DescribeEntity(const Notice*) {
  return DefineEntity<Notice>(
      kName,
      {Attribute<&Notice::conversation_id>("conversationId"), Attribute<&Notice::number>("number")},
      {PrimaryKey("CONVO#{conversationId}", "NOTICE#{number:08}")});
}

static_assert(CheckTable<Message, Notice>());

}  // namespace dolmen
