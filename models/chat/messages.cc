// Sending messages and loading history, windows of a conversation's messages, and changes of single
// messages.

#include "models/chat/chat.h"

namespace dolmen::chat {
namespace {

// Each failed attempt of a send means that another message was stored. So many attempts never fail,
// unless there is a bug.
const RetryOptions kPatience = {.attempts_max = 1000, .pause_max = std::chrono::milliseconds(10)};

// Adds the three writes of a send: the message, the preview of its conversation, and the sender's
// read receipt.
void AddSend(const Message& message, EntityTransaction* send) {
  const std::string& id = message.id.conversation_id;
  send->Create(message)
      .Update(Conversation{.id = id}, Changes<Conversation>()
                                          .Set<&Conversation::last_message>(PreviewOf(message))
                                          .If(IsOpen(), kIsArchived)
                                          .RetryUnless(IsAfterLastMessage(message.id.ulid)))
      .Update(Participant{.id = {id, message.sender_id}},
              Changes<Participant>().Set<&Participant::last_read_at>(message.created_at));
}

constexpr std::chrono::hours kTokenLifetime{24};

// Returns the name of a send with a token. Other senders and conversations can use the same token.
std::string NameOf(const NewMessage& request) {
  if (request.token.empty()) return {};
  return request.conversation_id + '#' + request.sender_id + '#' + request.token;
}

// Returns the message that an earlier call has sent with the token.
Result<Message> FindByToken(const EntityTable& table, const NewMessage& request) {
  return table.Query<Message>()
      .With<&Message::id, &MessageId::conversation_id>(request.conversation_id)
      .AtLeast<&Message::id, &MessageId::ulid>(LowestUlid(table.Now() - kTokenLifetime))
      .Where(AttrOf<&Message::token>() == request.token &&
             AttrOf<&Message::sender_id>() == request.sender_id)
      .First()
      .and_then([](const std::optional<Message>& found) -> Result<Message> {
        if (found) return *found;
        return Status::ResourceNotFound("the message was sent, and then deleted");
      });
}

ConditionBuilder IsSentBy(const std::string& id) { return AttrOf<&Message::sender_id>() == id; }

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

Result<Message> Chat::SendMessage(const NewMessage& request) {
  Message message = {.id = {.conversation_id = request.conversation_id},
                     .sender_id = request.sender_id,
                     .body = request.body,
                     .type = request.type};
  if (!request.token.empty()) message.token = request.token;
  bool is_late = false;  // another message was stored between the first attempt's id and its write
  const auto attempt = [&](EntityTransaction& send) -> Status {
    std::optional<MessagePreview> last;  // the first attempt reads nothing
    if (std::exchange(is_late, true)) {
      const auto conversation = GetConversation(request.conversation_id);
      if (!conversation.ok()) return conversation.status();
      last = conversation->last_message;
    }
    message.id.ulid = IdAfter(last, table_.NewUlid());
    message.created_at = TimeOf(message);
    AddSend(message, &send);
    return {};
  };
  return RetryOnce(table_, attempt, NameOf(request), kTokenLifetime, kPatience)
      .and_then([&](bool is_first) -> Result<Message> {
        return is_first ? message : FindByToken(table_, request);
      });
}

Status Chat::ImportMessages(std::span<const Message> messages) {
  if (messages.empty()) return {};
  const Conversation conversation = {.id = messages.front().id.conversation_id};
  const auto is_here = [&](const MessageId& id) { return id.conversation_id == conversation.id; };
  if (!std::ranges::all_of(messages, is_here, &Message::id)) {
    return Status::Validation("imported messages must all belong to one conversation");
  }
  for (std::size_t begin = 0; begin < messages.size(); begin += kPartMax) {
    EntityTransaction import = table_.Transact();
    import.Require(conversation, IsOpen(), kIsArchived);
    const auto part = messages.subspan(begin, std::min(messages.size() - begin, kPartMax));
    for (const Message& message : part) import.Put(message);
    if (Status status = import.Commit(); !status.ok()) return status;
  }
  const Message last =
      std::ranges::max(messages, {}, [](const Message& message) { return message.id.ulid; });
  return table_.Update(conversation)
      .Set<&Conversation::last_message>(PreviewOf(last))
      .If(IsAfterLastMessage(last.id.ulid))
      .CommitIgnoring(StatusCode::kConditionalCheckFailed);  // the conversation has a newer message
}

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
