// Reading, editing and deleting the messages of a conversation.

#include <algorithm>

#include "models/chat/chat.h"
#include "models/chat/order.h"

namespace dolmen::chat {
namespace {

EntityQuery<Message> MessagesOf(const EntityTable& table, const std::string& conversation_id) {
  auto query = table.Query<Message>();
  return query.With<&Message::id, &MessageId::conversation_id>(conversation_id);
}

ConditionBuilder IsSentBy(const std::string& user_id) {
  return AttrOf<&Message::sender_id>() == user_id;
}

// Adds the update of the conversation: if its preview shows the message `id`, it shows `other`
// instead, or nothing. `conversation` must be read before `other`. Every change of a message changes
// the version, so a change in between makes the transaction conflict, and it is repeated.
void ReplacePreview(const Conversation& conversation, const MessageId& id,
                    const std::optional<Message>& other, EntityTransaction* transaction) {
  Changes<Conversation> changes;
  if (conversation.last_message && conversation.last_message->id == id.ulid) {
    changes.Set<&Conversation::last_message>(other ? std::optional(PreviewOf(*other))
                                                   : std::nullopt);
  }
  transaction->Update(conversation, changes.IfVersion(conversation.version));
}

}  // namespace

Result<EntityPage<Message>> Chat::ListMessages(const MessageQuery& query) const {
  auto messages = MessagesOf(table_, query.conversation_id);
  messages.Limit(query.limit).From(query.cursor);
  if (!query.before.empty()) messages.Before<&Message::id, &MessageId::ulid>(query.before);
  if (query.after.empty()) return messages.Backward().Page();
  return messages.After<&Message::id, &MessageId::ulid>(query.after).Page();
}

Result<std::vector<Message>> Chat::ListMessagesAround(const MessageId& id,
                                                      std::uint32_t count) const {
  auto newer = MessagesOf(table_, id.conversation_id);
  newer.After<&Message::id, &MessageId::ulid>(id.ulid).Limit(count);
  auto older = MessagesOf(table_, id.conversation_id);
  older.AtMost<&Message::id, &MessageId::ulid>(id.ulid).Backward().Limit(count + 1);
  return newer.All().and_then([&](std::vector<Message> around) {
    std::ranges::reverse(around);
    return older.All().transform([&](const std::vector<Message>& rest) {
      around.insert(around.end(), rest.begin(), rest.end());
      return around;
    });
  });
}

Result<Message> Chat::GetMessage(const MessageId& id) const {
  return table_.Get(Message{.id = id});
}

// The messages and the participants are neighbours in the partition, so one Query reads both.
Result<ChatWindow> Chat::OpenWindow(const std::string& conversation_id, std::uint32_t limit) const {
  return GetConversation(conversation_id).and_then([&](const Conversation& conversation) {
    return table_.Query<Participant, Message>()
        .With<&Message::id, &MessageId::conversation_id>(conversation_id)
        .Backward()
        .Limit(conversation.participant_count + limit)
        .Grouped()
        .transform([&](auto groups) {
          auto& [participants, messages] = groups;
          std::ranges::reverse(participants);
          return ChatWindow{conversation, std::move(participants), std::move(messages)};
        });
  });
}

Status Chat::EditMessage(const MessageId& id, const std::string& sender_id,
                         const std::string& body) {
  return table_.Retry([&](EntityTransaction& edit) -> Status {
    const auto conversation = GetConversation(id.conversation_id);
    if (!conversation.ok()) return conversation.status();
    edit.Update(Message{.id = id}, Changes<Message>()
                                       .Set<&Message::body>(body)
                                       .Set<&Message::edited_at>(table_.Now())
                                       .If(IsSentBy(sender_id), "only its sender edits a message"));
    ReplacePreview(*conversation, id, Message{id, sender_id, body}, &edit);
    return {};
  });
}

Status Chat::DeleteMessage(const MessageId& id, const std::string& sender_id) {
  return table_.Retry([&](EntityTransaction& deletion) -> Status {
    const auto conversation = GetConversation(id.conversation_id);
    if (!conversation.ok()) return conversation.status();
    deletion.Remove(Message{.id = id}, IsSentBy(sender_id), "only its sender deletes a message");
    const auto previous = MessagesOf(table_, id.conversation_id)
                              .Before<&Message::id, &MessageId::ulid>(id.ulid)
                              .Backward()
                              .First();
    if (!previous.ok()) return previous.status();
    ReplacePreview(*conversation, id, *previous, &deletion);
    return {};
  });
}

}  // namespace dolmen::chat
