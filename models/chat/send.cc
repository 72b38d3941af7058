// AP7: sending a message.

#include <dolmen/entity/idempotent.h>

#include <chrono>

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
                                          .If(AttrOf<&Conversation::archived_at>().NotExists(),
                                              "the conversation is archived")
                                          .RetryUnless(IsAfterLastMessage(message.id.ulid)))
      .Update(Participant{.id = {.conversation_id = id, .user_id = message.sender_id}},
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
  const auto found =
      table.Query<Message>()
          .With<&Message::id, &MessageId::conversation_id>(request.conversation_id)
          .AtLeast<&Message::id, &MessageId::ulid>(LowestUlid(table.Now() - kTokenLifetime))
          .Where(AttrOf<&Message::token>() == request.token &&
                 AttrOf<&Message::sender_id>() == request.sender_id)
          .Limit(1)
          .All();
  if (!found.ok()) return found.status();
  if (found->empty()) return Status::ResourceNotFound("the message was sent, and then deleted");
  return found->front();
}

}  // namespace

Result<Message> Chat::SendMessage(const NewMessage& request) {
  Message message = {.id = {.conversation_id = request.conversation_id},
                     .sender_id = request.sender_id,
                     .body = request.body,
                     .type = request.type};
  if (!request.token.empty()) message.token = request.token;
  const auto attempt = [&](EntityTransaction& send) {
    const Status stamped = Stamp(table_, &message);
    AddSend(message, &send);
    return stamped;
  };
  const Result<bool> is_first =
      RetryOnce(table_, attempt, NameOf(request), kTokenLifetime, kPatience);
  if (!is_first.ok()) return is_first.status();
  if (*is_first) return message;
  return FindByToken(table_, request);
}

}  // namespace dolmen::chat
