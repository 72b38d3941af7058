// AP7: how a message gets into its conversation.
//
// One attempt is one TransactWriteItems that Plan makes of a Delivery.  When it is refused, Learn
// reads from the cancellation reasons whether that is final, or what the next attempt has to do
// otherwise.

#include <algorithm>
#include <chrono>
#include <utility>

#include "dolmen/condition_builder.h"
#include "dolmen/update_builder.h"
#include "models/chat/chat.h"
#include "models/chat/errors.h"
#include "models/chat/items.h"
#include "models/chat/keys.h"

namespace dolmen::chat {

struct Delivery {
  Message message = {};
  bool draws_ulid = false;  // each attempt has a new id and time; else both are the caller's
  bool is_import = false;   // the message may be there already, and its sender is not touched
  std::vector<Participant> participants = {};  // whose inboxes follow; order_by_activity only

  // What attempts have found: the conversation's last message, and how far the sender has read.
  std::optional<Timestamp> last_message_at = {};
  std::optional<Timestamp> last_read_at = {};

  bool MovesPreview() const { return !last_message_at || *last_message_at <= message.created_at; }
  bool MovesLastRead() const { return !last_read_at || *last_read_at <= message.created_at; }
};

namespace {

// The places of the actions in the transaction.  An import has none for the sender; the other
// participants' are the last.
enum ActionIndex : std::size_t { kMessage, kConversation, kSender };

constexpr std::size_t kActionsMax = 100;
constexpr std::size_t kUlidTimeChars = 10;
constexpr std::size_t kPreviewBytesMax = 256;

Status CheckNewMessage(const NewMessage& request) {
  if (request.sender_id.empty()) return Status::Validation("a message needs a sender");
  if (request.ulid.empty()) return {};
  const Result<Timestamp> time = UlidTime(request.ulid);
  if (!time.ok()) return time.status();
  // A later time than texts can hold would be stored as another one.
  if (*time == *ParseIso8601(TimeText(*time))) return {};
  return Status::Validation("the time of message " + request.ulid + " is past the year 9999");
}

// REQUIRES: CheckNewMessage passed it.
Message ToMessage(const NewMessage& request) {
  return {.id = {.conversation_id = request.conversation_id, .ulid = request.ulid},
          .sender_id = request.sender_id,
          .body = request.body,
          .type = request.type,
          .created_at = request.ulid.empty() ? Timestamp() : *UlidTime(request.ulid)};
}

// The body, or as much of its beginning as fits: every participant's item may hold a copy.
std::string PreviewOf(const std::string& body) {
  if (body.size() <= kPreviewBytesMax) return body;
  std::size_t size = kPreviewBytesMax;
  // Not in the middle of a character: its bytes, but for the first, are 10xxxxxx in UTF-8.
  while (size > 0 && (static_cast<unsigned char>(body[size]) & 0xC0) == 0x80) --size;
  return body.substr(0, size) + "…";
}

// The update, and the conversation's last message, too.
UpdateBuilder WithPreview(const UpdateBuilder& update, const Message& message) {
  return update.Set("lastMessageBody", PreviewOf(message.body))
      .Set("lastMessageSender", message.sender_id)
      .Set("lastMessageAt", TimeText(message.created_at));
}

using Action = decltype(TransactWriteItem::action);

Action PutMessage(const Delivery& delivery) {
  PutItemInput input = {.item = ToItem(delivery.message)};
  if (!delivery.is_import) input.condition = AttributeNotExists("PK");
  return input;
}

Action RequireItem(Item key) {
  return ConditionCheckInput{.key = std::move(key), .condition = AttributeExists("PK")};
}

Action TouchConversation(const Delivery& delivery, Timestamp now) {
  Item key = ConversationKey(delivery.message.id.conversation_id);
  if (!delivery.MovesPreview()) return RequireItem(std::move(key));

  const std::string at = TimeText(delivery.message.created_at);
  ConditionBuilder condition =
      AttributeExists("PK") && (AttributeNotExists("lastMessageAt") || Attr("lastMessageAt") <= at);
  if (!delivery.participants.empty()) {
    // Together with attribute_exists on each of them: they are the same as when they were read.
    condition = condition && Attr("participantCount") == delivery.participants.size();
  }
  return UpdateItemInput{
      .key = std::move(key),
      .update = WithPreview(Update(), delivery.message).Set("updatedAt", TimeText(now)),
      .condition = condition,
      .return_item_on_condition_failure = true};
}

Action TouchParticipant(const Delivery& delivery, const std::string& user_id) {
  const Message& message = delivery.message;
  const bool moves_last_read =
      !delivery.is_import && user_id == message.sender_id && delivery.MovesLastRead();
  Item key = ParticipantKey({.conversation_id = message.id.conversation_id, .user_id = user_id});
  if (!moves_last_read && delivery.participants.empty()) return RequireItem(std::move(key));

  UpdateBuilder update = Update();
  ConditionBuilder condition = AttributeExists("PK");
  if (moves_last_read) {
    const std::string at = TimeText(message.created_at);
    update = update.Set("lastReadAt", at);
    condition = condition && Attr("lastReadAt") <= at;
  }
  if (!delivery.participants.empty()) {
    update = WithPreview(update, message)
                 .Set("GSI2SK", ActivitySort(message.created_at, message.id.conversation_id));
  }
  return UpdateItemInput{.key = std::move(key),
                         .update = update,
                         .condition = condition,
                         .return_item_on_condition_failure = true};
}

std::vector<TransactWriteItem> Plan(const Delivery& delivery, const Table& table, Timestamp now) {
  std::vector<TransactWriteItem> actions = {
      {.table = table, .action = PutMessage(delivery)},
      {.table = table, .action = TouchConversation(delivery, now)}};
  const std::string& sender_id = delivery.message.sender_id;
  if (!delivery.is_import) {
    actions.push_back({.table = table, .action = TouchParticipant(delivery, sender_id)});
  }
  for (const Participant& participant : delivery.participants) {
    const std::string& user_id = participant.id.user_id;
    if (!delivery.is_import && user_id == sender_id) continue;
    actions.push_back({.table = table, .action = TouchParticipant(delivery, user_id)});
  }
  return actions;
}

Status LearnFromConversation(const Status& reason, Delivery* delivery) {
  if (reason.item() == nullptr) return NoConversation(delivery->message.id.conversation_id);
  const Result<Conversation> conversation = ConversationFrom(reason.item()->view());
  if (!conversation.ok()) return conversation.status();
  if (conversation->last_message) delivery->last_message_at = conversation->last_message->at;
  return {};
}

Status LearnFromSender(const Status& reason, Delivery* delivery) {
  const Message& message = delivery->message;
  if (reason.item() == nullptr) {
    return NotAParticipant(
        {.conversation_id = message.id.conversation_id, .user_id = message.sender_id});
  }
  const Result<Participant> sender = ParticipantFrom(reason.item()->view());
  if (!sender.ok()) return sender.status();
  delivery->last_read_at = sender->last_read_at;
  return {};
}

// Whether the refusal comes from what the transaction found, and not from the request or the disk.
bool IsFromConditions(const Status& refusal) {
  return refusal.code() == StatusCode::kTransactionConflict ||
         (refusal.code() == StatusCode::kTransactionCanceled &&
          std::ranges::all_of(refusal.reasons(), [](const Status& reason) {
            return reason.ok() || reason.code() == StatusCode::kTransactionConflict ||
                   reason.code() == StatusCode::kConditionalCheckFailed;
          }));
}

// Keeps in the delivery what the next attempt needs to know.  An error if there is none to be made.
Status Learn(const Status& refusal, Delivery* delivery) {
  if (!IsFromConditions(refusal)) return refusal;
  if (Refused(refusal, kConversation)) {
    Status status = LearnFromConversation(refusal.reasons()[kConversation], delivery);
    if (!status.ok()) return status;
  }
  if (!delivery->is_import && Refused(refusal, kSender)) {
    Status status = LearnFromSender(refusal.reasons()[kSender], delivery);
    if (!status.ok()) return status;
  }
  if (Refused(refusal, kMessage) && !delivery->draws_ulid) {
    return MessageExists(delivery->message.id);
  }
  return {};
}

// Gives the message a new id and its time: the clock's, unless the conversation is ahead of that.
void Stamp(std::string ulid, Delivery* delivery) {
  Timestamp at = *UlidTime(ulid);
  if (delivery->last_message_at && *delivery->last_message_at > at) {
    // The clock went back.  The message belongs behind the last one all the same.
    at = *delivery->last_message_at + std::chrono::milliseconds(1);
    ulid.replace(0, kUlidTimeChars, LowestUlid(at), 0, kUlidTimeChars);
  }
  delivery->message.id.ulid = std::move(ulid);
  delivery->message.created_at = at;
}

}  // namespace

Result<Message> Chat::Deliver(Delivery delivery) {
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    if (delivery.draws_ulid) Stamp(ulids_->Next(), &delivery);
    delivery.participants.clear();
    if (options_.order_by_activity && delivery.MovesPreview()) {
      auto participants = ListParticipants(delivery.message.id.conversation_id);
      if (!participants.ok()) return participants.status();
      delivery.participants = *std::move(participants);
    }
    const Status status =
        database_.TransactWriteItems({.actions = Plan(delivery, table_, database_.clock()->Now())})
            .status();
    if (status.ok()) return delivery.message;
    if (Status verdict = Learn(status, &delivery); !verdict.ok()) return verdict;
  }
  return Status::TransactionConflict();
}

Result<Message> Chat::SendMessage(const NewMessage& request) {
  if (Status status = CheckNewMessage(request); !status.ok()) return status;
  return Deliver({.message = ToMessage(request), .draws_ulid = request.ulid.empty()});
}

Status Chat::ImportMessages(std::span<const NewMessage> messages) {
  if (messages.empty()) return {};
  const std::string& conversation_id = messages.front().conversation_id;
  for (const NewMessage& message : messages) {
    if (message.ulid.empty()) return Status::Validation("an imported message needs a ulid");
    if (message.conversation_id != conversation_id) {
      return Status::Validation("imported messages are of one conversation");
    }
    if (Status status = CheckNewMessage(message); !status.ok()) return status;
  }

  for (auto rest = messages; !rest.empty();) {
    const auto chunk = rest.first(std::min(rest.size(), kActionsMax - 1));
    rest = rest.subspan(chunk.size());
    std::vector<TransactWriteItem> actions = {
        {.table = table_, .action = RequireItem(ConversationKey(conversation_id))}};
    for (const NewMessage& message : chunk) {
      actions.push_back(
          {.table = table_, .action = PutItemInput{.item = ToItem(ToMessage(message))}});
    }
    const Status status = database_.TransactWriteItems({.actions = actions}).status();
    if (Refused(status, 0)) return NoConversation(conversation_id);
    if (!status.ok()) return status;
  }
  const auto last = std::ranges::max_element(messages, {}, &NewMessage::ulid);
  return Deliver({.message = ToMessage(*last), .is_import = true}).status();
}

}  // namespace dolmen::chat
