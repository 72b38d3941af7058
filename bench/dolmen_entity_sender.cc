#include "bench/dolmen_entity_sender.h"

#include <cstdint>
#include <optional>

namespace dolmen::bench {
namespace {

// The entities that correspond to the items of data.h. They have only the attributes that a send
// writes or compares.
struct Message {
  std::string conversation_id = {};
  std::string id = {};
  std::string sender_id = {};
  std::string body = {};
  std::string type = "text";
  Timestamp created_at = {};
};

constexpr auto DescribeEntity(const Message*) {
  return DefineEntity<Message>(
      "message",
      {Attribute<&Message::conversation_id>("conversationId").InKeyOnly(),
       Attribute<&Message::id>("messageId").InKeyOnly(), Attribute<&Message::sender_id>("senderId"),
       Attribute<&Message::body>("body"), Attribute<&Message::type>("type"),
       Attribute<&Message::created_at>("createdAt")},
      {PrimaryKey("CONVO#{conversationId}", "MSG#{messageId}")});
}

struct Preview {
  std::string body = {};
  std::string sender_id = {};
  Timestamp at = {};
};

struct Conversation {
  std::string id = {};
  std::optional<Preview> last_message = {};
  Timestamp updated_at = {};
};

constexpr auto DescribeEntity(const Conversation*) {
  using C = Conversation;
  return DefineEntity<C>("conversation",
                         {Attribute<&C::id>("conversationId").InKeyOnly(),
                          Attribute<&C::last_message, &Preview::body>("lastMessageBody"),
                          Attribute<&C::last_message, &Preview::sender_id>("lastMessageSender"),
                          Attribute<&C::last_message, &Preview::at>("lastMessageAt"),
                          Attribute<&C::updated_at>("updatedAt")},
                         {PrimaryKey("CONVO#{conversationId}", "#METADATA")});
}

struct Participant {
  std::string conversation_id = {};
  std::string user_id = {};
  Timestamp last_read_at = {};
};

constexpr auto DescribeEntity(const Participant*) {
  using P = Participant;
  return DefineEntity<P>(
      "participant",
      {Attribute<&P::conversation_id>("conversationId").InKeyOnly(),
       Attribute<&P::user_id>("userId").InKeyOnly(), Attribute<&P::last_read_at>("lastReadAt")},
      {PrimaryKey("CONVO#{conversationId}", "PARTICIPANT#USER#{userId}"),
       IndexKey("GSI1", "USER#{userId}", "CONVO#{conversationId}")});
}

// Returns the part of a key after the first #.
std::string IdIn(const std::string& key) { return key.substr(key.find('#') + 1); }

}  // namespace

NewMessage::NewMessage(const SentMessage& sent) {
  const MessageTexts texts(sent);
  conversation_id = IdIn(texts.partition);
  id = IdIn(texts.message_sort);
  sender_id = texts.sender;
  body = texts.body;
  at = *ParseIso8601(texts.at);
}

DolmenEntitySender::DolmenEntitySender(const DolmenStore& store)
    : DolmenSenderBase(store), entities_(store.database(), store.table()) {}

Status DolmenEntitySender::Send(const NewMessage& message) {
  const AttrOf<&Conversation::last_message, &Preview::at> last_message_at;
  return entities_.Transact()
      .Create(Message{.conversation_id = message.conversation_id,
                      .id = message.id,
                      .sender_id = message.sender_id,
                      .body = message.body,
                      .created_at = message.at})
      .Update(Conversation{.id = message.conversation_id},
              Changes<Conversation>()
                  .Set<&Conversation::last_message, &Preview::body>(message.body)
                  .Set<&Conversation::last_message, &Preview::sender_id>(message.sender_id)
                  .Set<&Conversation::last_message, &Preview::at>(message.at)
                  .Set<&Conversation::updated_at>(message.at)
                  .If(last_message_at.NotExists() || last_message_at <= message.at))
      .Update(Participant{.conversation_id = message.conversation_id, .user_id = message.sender_id},
              Changes<Participant>()
                  .Set<&Participant::last_read_at>(message.at)
                  .If(AttrOf<&Participant::last_read_at>() <= message.at))
      .Commit();
}

}  // namespace dolmen::bench
