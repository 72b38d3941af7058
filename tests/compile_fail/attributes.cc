// Checks that the compiler rejects wrong attributes of an entity.
//
// An attribute that is declared as stored only in the key, but is not part of the primary key.
// wrong in_no_key: TEST_ATTRIBUTE=Attribute<&Message::body>("body").InKeyOnly()
// error: InKeyOnly() is not in the primary key
// error: "body"
//
// Two attributes with the same name.
// wrong same_name: TEST_ATTRIBUTE=Attribute<&Message::body>("conversationId")
// error: two attributes have the same name
// error: "conversationId"
//
// An attribute with the name of a key attribute.
// wrong called_like_a_key: TEST_ATTRIBUTE=Attribute<&Message::body>("GSI1PK")
// error: an attribute has the name of a key
// error: "GSI1PK"

#include <dolmen/entity/definition.h>

#include <string>

namespace dolmen {

#ifndef TEST_ATTRIBUTE
#define TEST_ATTRIBUTE Attribute<&Message::body>("body")
#endif

struct Message {
  std::string conversation_id = {};
  std::string body = {};
};
constexpr auto DescribeEntity(const Message*) {
  return DefineEntity<Message>(
      "message", {Attribute<&Message::conversation_id>("conversationId"), TEST_ATTRIBUTE},
      {PrimaryKey("CONVO#{conversationId}"), IndexKey("GSI1", "MESSAGES", "{conversationId}")});
}
static_assert(entity::kSpec<Message>.name == "message");

}  // namespace dolmen
