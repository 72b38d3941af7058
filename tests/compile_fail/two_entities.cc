// Checks that the compiler rejects entities that a table cannot tell apart.
//
// Two entities whose sort keys begin alike: MSG# begins MSG#NOTICE#.
// wrong prefix_of_two_entities: TEST_KEY=PrimaryKey("CONVO#{conversationId}", "MSG#NOTICE#{number:08}")
// right: TEST_KEY=PrimaryKey("CONVO#{conversationId}", "MSG-NOTICE#{number:08}")
// error: a query for all of the first entity also reads the second
// error: dolmen::Message
// error: dolmen::Notice
//
// Two entities of a table that can have the same key: a message with the id 00000007, and the
// notice 7.
// wrong same_key_of_two_entities: TEST_KEY=PrimaryKey("CONVO#{conversationId}", "MSG#{number:08}")
// error: two entities of a table can have the same key
// error: dolmen::Message
// error: dolmen::Notice
//
// Two entities of a table with the same name.
// wrong name_of_two_entities: TEST_NAME="message"
// right: TEST_NAME="notice"
// error: two entities of a table have the same name
// error: dolmen::Message
// error: dolmen::Notice

#include <dolmen/entity.h>

#include <string>

namespace dolmen {

#ifndef TEST_KEY
#define TEST_KEY PrimaryKey("CONVO#{conversationId}", "NOTICE#{number:08}")
#endif
#ifndef TEST_NAME
#define TEST_NAME "notice"
#endif

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

struct Notice {
  std::string conversation_id = {};
  int number = 0;
};
constexpr auto DescribeEntity(const Notice*) {
  return DefineEntity<Notice>(
      TEST_NAME,
      {Attribute<&Notice::conversation_id>("conversationId"), Attribute<&Notice::number>("number")},
      {TEST_KEY});
}
static_assert(CheckTable<Message, Notice>());

}  // namespace dolmen
