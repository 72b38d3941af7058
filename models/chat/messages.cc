// Windows of a conversation's messages, and changes of single messages.

#include "models/chat/chat.h"
#include "models/chat/order.h"

namespace dolmen::chat {
namespace {

ConditionBuilder IsSentBy(const std::string& user_id) {
  return AttrOf<&Message::sender_id>() == user_id;
}

// Calls `change`, which adds the change of a message to the transaction. If the conversation's preview
// shows the message, it then shows the message that `change` returns, or nothing. The conversation is
// read before this message. Every change of a message changes the conversation's version, so a change
// in between makes the transaction conflict, and it is repeated.
template <typename Change>
Status ChangeMessage(const EntityTable& table, const MessageId& id, const Change& change) {
  return table.Retry([&](EntityTransaction& transaction) {
    const Conversation key = {.id = id.conversation_id};
    return table.Get(key).and_then([&](const Conversation& conversation) {
      const Result<std::optional<Message>> shown = change(transaction);
      if (!shown.ok()) return shown.status();
      Changes<Conversation> changes;
      if (conversation.last_message && conversation.last_message->id == id.ulid) {
        const auto preview = *shown ? std::optional(PreviewOf(**shown)) : std::nullopt;
        changes.Set<&Conversation::last_message>(preview);
      }
      transaction.Update(conversation, changes.IfVersion(conversation.version));
      return Status();
    });
  });
}

}  // namespace

Result<std::vector<Message>> Chat::ListMessagesAround(const MessageId& id,
                                                      std::uint32_t count) const {
  auto newer = MessagesOf(id.conversation_id).After<&Message::id, &MessageId::ulid>(id.ulid);
  auto older = MessagesOf(id.conversation_id).AtMost<&Message::id, &MessageId::ulid>(id.ulid);
  return newer.Limit(count).All().and_then([&](std::vector<Message> around) {
    std::ranges::reverse(around);
    return older.Backward().Limit(count + 1).All().transform([&](const auto& rest) {
      around.insert(around.end(), rest.begin(), rest.end());
      return around;
    });
  });
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
  return ChangeMessage(table_, id, [&](EntityTransaction& edit) {
    edit.Update(Message{.id = id}, Changes<Message>()
                                       .Set<&Message::body>(body)
                                       .Set<&Message::edited_at>(table_.Now())
                                       .If(IsSentBy(sender_id), "only its sender edits a message"));
    return Result(std::optional(Message{id, sender_id, body}));
  });
}

Status Chat::DeleteMessage(const MessageId& id, const std::string& sender_id) {
  return ChangeMessage(table_, id, [&](EntityTransaction& deletion) {
    deletion.Remove(Message{.id = id}, IsSentBy(sender_id), "only its sender deletes a message");
    auto older = MessagesOf(id.conversation_id).Before<&Message::id, &MessageId::ulid>(id.ulid);
    return older.Backward().First();
  });
}

}  // namespace dolmen::chat
