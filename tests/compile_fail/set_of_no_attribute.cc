// Checks that the compiler rejects an update of a member that is not an attribute of the entity.
// error: the entity has no attribute for this member
// error: &dolmen::Message::draft

#include <dolmen/entity.h>

#include <string>

namespace dolmen {

struct Message {
  std::string conversation_id = {};
  std::string body = {};
  std::string draft = {};
};
constexpr auto DescribeEntity(const Message*) {
  return DefineEntity<Message>(
      "message",
      {Attribute<&Message::conversation_id>("conversationId"), Attribute<&Message::body>("body")},
      {PrimaryKey("CONVO#{conversationId}")});
}

#ifdef WRONG
constexpr auto kMember = &Message::draft;
#else
constexpr auto kMember = &Message::body;
#endif

Changes<Message> Edit() { return Changes<Message>().Set<kMember>("Hello"); }

}  // namespace dolmen
