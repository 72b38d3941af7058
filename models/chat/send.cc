// AP7: sending a message.
//
// Plan builds one attempt, a TransactWriteItems, from a Delivery. If the transaction is cancelled,
// Learn reads the cancellation reason of each write. Learn returns an error if no further attempt
// can succeed. Otherwise Learn stores in the Delivery the times that the next attempt must use.

#include <dolmen/clock.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "models/chat/chat.h"

namespace dolmen::chat {

struct Delivery {
  Message message = {};
  bool draws_ulid = false;  // true = each attempt draws a new ULID; false = the caller gives it
  // True if the message is imported: it replaces a message with the same id, and the time up to
  // which the sender has read does not change.
  bool is_import = false;
  // True if the attempt updates the summary of the conversation in the item of each of
  // `participants`. The value is true only with order_by_activity, and only if the message is not
  // older than the conversation's last message.
  bool moves_inboxes = false;
  std::vector<Participant> participants = {};

  // The time of the conversation's last message, and the time up to which the sender has read. A
  // failed attempt sets both times for the next attempt. An empty optional means that the time is
  // not known.
  std::optional<Timestamp> last_message_at = {};
  std::optional<Timestamp> last_read_at = {};

  bool MovesPreview() const { return !last_message_at || *last_message_at <= message.created_at; }
  bool MovesLastRead() const { return !last_read_at || *last_read_at <= message.created_at; }
};

namespace {

// The positions of the writes in the transaction that sends a message. The writes to the other
// participants begin at kSender + 1. The last transaction of an import does not treat the sender
// separately: its writes to all participants begin at kSender.
enum WriteIndex : std::size_t { kMessage, kConversation, kSender };

constexpr std::size_t kActionsMax = 100;
constexpr std::size_t kUlidTimeChars = 10;
constexpr std::size_t kPreviewBytesMax = 256;

Status CheckNewMessage(const NewMessage& request) {
  if (request.sender_id.empty()) return Status::Validation("a message needs a sender");
  if (request.ulid.empty()) return {};
  return UlidTime(request.ulid).status();
}

// Converts a request to a message. REQUIRES: CheckNewMessage accepted the request.
Message ToMessage(const NewMessage& request) {
  return {.id = {.conversation_id = request.conversation_id, .ulid = request.ulid},
          .sender_id = request.sender_id,
          .body = request.body,
          .type = request.type,
          .created_at = request.ulid.empty() ? Timestamp() : *UlidTime(request.ulid)};
}

// Returns the body, cut to kPreviewBytesMax bytes, because every participant's item may copy it.
std::string PreviewOf(const std::string& body) {
  if (body.size() <= kPreviewBytesMax) return body;
  std::size_t size = kPreviewBytesMax;
  // Reduces `size`, so that the body is cut before a character and not inside it. In UTF-8 every
  // byte of a character after its first one has the form 10xxxxxx.
  while (size > 0 && (static_cast<unsigned char>(body[size]) & 0xC0) == 0x80) --size;
  return body.substr(0, size) + "…";
}

// Sets the entity's MessagePreview at the path `kPreview` to the preview of `message`.
template <auto... kPreview, typename Entity>
void SetPreview(const Message& message, Changes<Entity>* changes) {
  changes->template Set<kPreview..., &MessagePreview::body>(PreviewOf(message.body))
      .template Set<kPreview..., &MessagePreview::sender_id>(message.sender_id)
      .template Set<kPreview..., &MessagePreview::at>(message.created_at);
}

void TouchConversation(const Delivery& delivery, Timestamp now, EntityTransaction* attempt) {
  const Message& message = delivery.message;
  const Conversation conversation = {.id = message.id.conversation_id};
  if (!delivery.MovesPreview()) {
    attempt->Require(conversation);
    return;
  }
  const AttrOf<&Conversation::last_message, &MessagePreview::at> last_message_at;
  Changes<Conversation> changes;
  SetPreview<&Conversation::last_message>(message, &changes);
  changes.Set<&Conversation::updated_at>(now).If(last_message_at.NotExists() ||
                                                 last_message_at <= message.created_at);
  if (delivery.moves_inboxes) {
    // The transaction requires that each participant that was read still exists, and that the
    // number of participants has not changed. Together the two conditions show that no participant
    // has joined.
    const auto count = static_cast<std::uint32_t>(delivery.participants.size());
    changes.If(AttrOf<&Conversation::participant_count>() == count);
  }
  attempt->Update(conversation, changes);
}

void TouchParticipant(const Delivery& delivery, const std::string& user_id,
                      EntityTransaction* attempt) {
  const Message& message = delivery.message;
  const Participant participant = {
      .id = {.conversation_id = message.id.conversation_id, .user_id = user_id}};
  const bool moves_last_read =
      !delivery.is_import && user_id == message.sender_id && delivery.MovesLastRead();
  if (!moves_last_read && !delivery.moves_inboxes) {
    attempt->Require(participant);
    return;
  }
  Changes<Participant> changes;
  if (moves_last_read) {
    changes.Set<&Participant::last_read_at>(message.created_at)
        .If(AttrOf<&Participant::last_read_at>() <= message.created_at);
  }
  if (delivery.moves_inboxes) {
    SetPreview<&Participant::summary, &ConversationSummary::last_message>(message, &changes);
    changes.Set<&Participant::summary, &ConversationSummary::last_activity>(message.created_at);
  }
  attempt->Update(participant, changes);
}

void Plan(const Delivery& delivery, Timestamp now, EntityTransaction* attempt) {
  if (delivery.is_import) {
    attempt->Put(delivery.message);
  } else {
    attempt->Create(delivery.message);
  }
  TouchConversation(delivery, now, attempt);
  const std::string& sender_id = delivery.message.sender_id;
  if (!delivery.is_import) TouchParticipant(delivery, sender_id, attempt);
  for (const Participant& participant : delivery.participants) {
    if (!delivery.is_import && participant.id.user_id == sender_id) continue;
    TouchParticipant(delivery, participant.id.user_id, attempt);
  }
}

Status LearnFromConversation(const Status& refusal, Delivery* delivery) {
  const Result<Conversation> conversation = FromItem<Conversation>(refusal.item()->view());
  if (!conversation.ok()) return conversation.status();
  if (conversation->last_message) delivery->last_message_at = conversation->last_message->at;
  return {};
}

Status LearnFromSender(const Status& refusal, Delivery* delivery) {
  const Result<Participant> sender = FromItem<Participant>(refusal.item()->view());
  if (!sender.ok()) return sender.status();
  delivery->last_read_at = sender->last_read_at;
  return {};
}

// Reads the cancellation reason of one write. Stores in `*delivery` the time that the reason
// contains: the time of the conversation's last message, or the time up to which the sender has
// read. Returns an error if no further attempt can succeed.
Status LearnFrom(const Status& refusal, std::size_t write, Delivery* delivery) {
  const bool is_conversation = write == kConversation;
  const bool is_sender = write == kSender && !delivery->is_import;
  switch (refusal.code()) {
    case StatusCode::kOk:
    case StatusCode::kTransactionConflict:
      return {};
    case StatusCode::kConditionalCheckFailed:
      if (is_conversation) return LearnFromConversation(refusal, delivery);
      return is_sender ? LearnFromSender(refusal, delivery) : refusal;
    case StatusCode::kResourceInUse:  // the message exists
      return delivery->draws_ulid ? Status() : refusal;
    case StatusCode::kResourceNotFound:  // a participant left after the read
      return is_conversation || is_sender ? refusal : Status();
    default:
      return refusal;
  }
}

// Calls LearnFrom for each write that made the transaction fail. Returns an error if no further
// attempt can succeed.
Status Learn(const EntityTransaction& attempt, const Status& refusal, Delivery* delivery) {
  const std::vector<Status>& refusals = attempt.refusals();
  if (refusals.empty()) {
    return refusal.code() == StatusCode::kTransactionConflict ? Status() : refusal;
  }
  for (std::size_t write = 0; write < refusals.size(); ++write) {
    Status verdict = LearnFrom(refusals[write], write, delivery);
    if (!verdict.ok()) return verdict;
  }
  return {};
}

// Sets the message's id to `ulid`, and its time to the time in `ulid`. If the conversation's last
// message is later, the id and the time get the millisecond after that message.
void Stamp(std::string ulid, Delivery* delivery) {
  Timestamp at = *UlidTime(ulid);
  if (delivery->last_message_at && *delivery->last_message_at > at) {
    // A concurrent sender was faster, or the clock has gone back. In both cases the new message
    // must sort after the last message.
    at = *delivery->last_message_at + std::chrono::milliseconds(1);
    ulid.replace(0, kUlidTimeChars, LowestUlid(at), 0, kUlidTimeChars);
  }
  delivery->message.id.ulid = std::move(ulid);
  delivery->message.created_at = at;
}

}  // namespace

Result<Message> Chat::Deliver(Delivery delivery) {
  for (int n = 0; n < kAttemptsMax; ++n) {
    if (delivery.draws_ulid) Stamp(table_.NewUlid(), &delivery);
    delivery.participants.clear();
    delivery.moves_inboxes = order_by_activity_ && delivery.MovesPreview();
    if (delivery.moves_inboxes) {
      auto participants = ListParticipants(delivery.message.id.conversation_id);
      if (!participants.ok()) return participants.status();
      delivery.participants = *std::move(participants);
    }
    EntityTransaction attempt = table_.Transact();
    Plan(delivery, table_.Now(), &attempt);
    const Status status = attempt.Commit();
    if (status.ok()) return std::move(delivery.message);
    if (Status verdict = Learn(attempt, status, &delivery); !verdict.ok()) return verdict;
  }
  return Status::TransactionConflict();
}

Result<Message> Chat::SendMessage(const NewMessage& request) {
  if (Status status = CheckNewMessage(request); !status.ok()) return status;
  return Deliver({.message = ToMessage(request), .draws_ulid = request.ulid.empty()});
}

Status Chat::ImportMessages(std::span<const NewMessage> messages) {
  if (messages.empty()) return {};
  const Conversation conversation = {.id = messages.front().conversation_id};
  for (const NewMessage& message : messages) {
    if (message.ulid.empty()) return Status::Validation("an imported message needs a ulid");
    if (message.conversation_id != conversation.id) {
      return Status::Validation("imported messages must all belong to one conversation");
    }
    if (Status status = CheckNewMessage(message); !status.ok()) return status;
  }

  for (auto rest = messages; !rest.empty();) {
    const auto chunk = rest.first(std::min(rest.size(), kActionsMax - 1));
    rest = rest.subspan(chunk.size());
    EntityTransaction import = table_.Transact();
    import.Require(conversation);
    for (const NewMessage& message : chunk) import.Put(ToMessage(message));
    if (Status status = import.Commit(); !status.ok()) return status;
  }
  const auto last = std::ranges::max_element(messages, {}, &NewMessage::ulid);
  return Deliver({.message = ToMessage(*last), .is_import = true}).status();
}

}  // namespace dolmen::chat
