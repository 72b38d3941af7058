// AP7: sending a message, and loading history.

#include <ranges>

#include "models/chat/chat.h"
#include "models/chat/order.h"

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
  constexpr std::size_t kPerTransaction = 99;  // and the check of the conversation
  for (std::size_t begin = 0; begin < messages.size(); begin += kPerTransaction) {
    EntityTransaction import = table_.Transact();
    import.Require(conversation, IsOpen(), kIsArchived);
    const auto part = messages | std::views::drop(begin) | std::views::take(kPerTransaction);
    for (const Message& message : part) import.Put(message);
    if (Status status = import.Commit(); !status.ok()) return status;
  }
  const Message last =
      std::ranges::max(messages, {}, [](const Message& message) { return message.id.ulid; });
  return table_.Update(conversation)
      .Set<&Conversation::last_message>(PreviewOf(last))
      .If(IsAfterLastMessage(last.id.ulid))
      .Commit()
      .status()
      .Ignoring(StatusCode::kConditionalCheckFailed);  // the conversation has a newer message
}

}  // namespace dolmen::chat
