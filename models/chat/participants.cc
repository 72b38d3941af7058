// The participants of conversations: creating, joining, leaving, reading.

#include <algorithm>
#include <string_view>

#include "models/chat/chat.h"

namespace dolmen::chat {
namespace {

Status CheckParticipants(const NewConversation& request, std::size_t count_max) {
  if (request.participants.empty()) {
    return Status::Validation("a conversation needs at least one participant");
  }
  if (request.participants.size() > count_max) {
    return Status::Validation("a conversation can be created with at most " +
                              std::to_string(count_max) + " participants");
  }
  std::vector<std::string_view> ids;
  for (const NewParticipant& participant : request.participants) {
    ids.push_back(participant.user_id);
  }
  std::ranges::sort(ids);
  const auto twice = std::ranges::adjacent_find(ids);
  if (twice == ids.end()) return {};
  return Status::Validation(std::string(*twice) + " is listed as a participant twice");
}

// Returns the condition that neither the conversation's last message nor its number of participants
// has changed since it was read. Then a new participant's item gets the current last message, and
// the conversation does not exceed the greatest number of participants.
ConditionBuilder IsAsSeen(const Conversation& seen) {
  const ConditionBuilder same_count =
      AttrOf<&Conversation::participant_count>() == seen.participant_count;
  const AttrOf<&Conversation::last_message, &MessagePreview::at> at;
  if (!seen.last_message) return same_count && at.NotExists();
  const AttrOf<&Conversation::last_message, &MessagePreview::body> body;
  const AttrOf<&Conversation::last_message, &MessagePreview::sender_id> sender;
  return same_count && at == seen.last_message->at && body == seen.last_message->body &&
         sender == seen.last_message->sender_id;
}

Changes<Conversation> CountParticipants(std::int64_t change) {
  return Changes<Conversation>().Add<&Conversation::participant_count>(change);
}

}  // namespace

std::size_t Chat::participants_max() const {
  return order_by_activity_ ? kParticipantsByActivityMax : kParticipantsAtCreationMax;
}

std::optional<ConversationSummary> Chat::SummaryOf(const Conversation& conversation) const {
  if (!order_by_activity_) return std::nullopt;
  return conversation.Summary();
}

Result<Conversation> Chat::CreateConversation(const NewConversation& request) {
  if (Status status = CheckParticipants(request, participants_max()); !status.ok()) return status;

  const Timestamp now = table_.Now();
  Conversation conversation = {
      .id = request.id.empty() ? table_.NewUlid() : request.id,
      .name = request.name,
      .type = request.type,
      .participant_count = static_cast<std::uint32_t>(request.participants.size()),
      .created_at = request.created_at.value_or(now),
      .updated_at = now};
  EntityTransaction creation = table_.Transact();
  creation.Create(conversation);
  for (const NewParticipant& participant : request.participants) {
    creation.Create(
        Participant{.id = {.conversation_id = conversation.id, .user_id = participant.user_id},
                    .role = participant.role,
                    .joined_at = conversation.created_at,
                    .last_read_at = conversation.created_at,
                    .summary = SummaryOf(conversation)});
  }
  if (Status status = creation.Commit(); !status.ok()) return status;
  return conversation;
}

Status Chat::AddParticipant(const ParticipantId& id, Role role) {
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    const Result<Conversation> conversation = GetConversation(id.conversation_id);
    if (!conversation.ok()) return conversation.status();
    Changes<Conversation> count = CountParticipants(1);
    if (order_by_activity_) {
      if (conversation->participant_count >= kParticipantsByActivityMax) {
        return Status::Validation(id.conversation_id + " has " +
                                  std::to_string(kParticipantsByActivityMax) +
                                  " participants, the most that order_by_activity allows");
      }
      count.If(IsAsSeen(*conversation));
    }
    const Timestamp now = table_.Now();
    Status status =
        table_.Transact()
            .Create(Participant{.id = id,
                                .role = role,
                                .joined_at = now,
                                .last_read_at = std::max(now, conversation->LastActivity()),
                                .summary = SummaryOf(*conversation)})
            .Update(Conversation{.id = id.conversation_id}, count)
            .Commit();
    if (status.code() != StatusCode::kConditionalCheckFailed) return status;
  }
  return Status::TransactionConflict();
}

Status Chat::RemoveParticipant(const ParticipantId& id) {
  return table_.Transact()
      .Update(Conversation{.id = id.conversation_id}, CountParticipants(-1))
      .Remove(Participant{.id = id})
      .Commit();
}

Status Chat::MarkRead(const ParticipantId& id, Timestamp up_to) {
  const Status status = table_.Update(Participant{.id = id})
                            .Set<&Participant::last_read_at>(up_to)
                            .If(AttrOf<&Participant::last_read_at>() < up_to)
                            .Commit()
                            .status();
  // A failed condition means that the stored lastReadAt is already later, so the call succeeds.
  return status.code() == StatusCode::kConditionalCheckFailed ? Status() : status;
}

}  // namespace dolmen::chat
