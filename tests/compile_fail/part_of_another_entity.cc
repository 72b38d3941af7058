// Checks that the compiler rejects a query that sets a key part by a member of an entity that the
// query does not read.
// error: the member must belong to a queried entity

#include <dolmen/entity.h>

#include <string>

namespace dolmen {

struct Message {
  std::string conversation_id = {};
};
constexpr auto DescribeEntity(const Message*) {
  return DefineEntity<Message>("message", {Attribute<&Message::conversation_id>("conversationId")},
                               {PrimaryKey("CONVO#{conversationId}")});
}

struct Profile {
  std::string conversation_id = {};
};
constexpr auto DescribeEntity(const Profile*) {
  return DefineEntity<Profile>("profile", {Attribute<&Profile::conversation_id>("conversationId")},
                               {PrimaryKey("PROFILE#{conversationId}")});
}

#ifdef WRONG
constexpr auto kPart = &Profile::conversation_id;
#else
constexpr auto kPart = &Message::conversation_id;
#endif

EntityQuery<Message> Find(const EntityTable& table) {
  return table.Query<Message>().With<kPart>("c_01");
}

}  // namespace dolmen
