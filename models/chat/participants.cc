// Who takes part in which conversation: creating, joining, leaving, reading.

#include <algorithm>
#include <utility>

#include "dolmen/condition_builder.h"
#include "dolmen/transaction.h"
#include "dolmen/update_builder.h"
#include "models/chat/chat.h"
#include "models/chat/errors.h"
#include "models/chat/items.h"
#include "models/chat/keys.h"

namespace dolmen::chat {
namespace {

Status CheckUserId(const std::string& id) {
  return id.empty() ? Status::Validation("a user id is empty") : Status();
}

Status CheckParticipants(const NewConversation& request, std::size_t count_max) {
  if (request.participants.empty()) {
    return Status::Validation("a conversation needs a participant");
  }
  if (request.participants.size() > count_max) {
    return Status::Validation("a conversation begins with at most " + std::to_string(count_max) +
                              " participants");
  }
  std::vector<std::string_view> ids;
  for (const NewParticipant& participant : request.participants) {
    if (Status status = CheckUserId(participant.user_id); !status.ok()) return status;
    ids.push_back(participant.user_id);
  }
  std::ranges::sort(ids);
  const auto twice = std::ranges::adjacent_find(ids);
  if (twice == ids.end()) return {};
  return Status::Validation(std::string(*twice) + " is among the participants twice");
}

// Adds `change` to the conversation's count of participants.
UpdateItemInput CountParticipants(const std::string& conversation_id, int change) {
  return {.key = ConversationKey(conversation_id),
          .update = Update().Add("participantCount", change),
          .condition = AttributeExists("PK")};
}

// Lets the update pass only while the conversation is as `seen`, as far as its participants' items
// repeat it and their number is limited.
void RequireUnchanged(const Conversation& seen, UpdateItemInput* update) {
  const ConditionBuilder same_count = Attr("participantCount") == seen.participant_count;
  update->condition =
      seen.last_message ? same_count && Attr("lastMessageAt") == TimeText(seen.last_message->at) &&
                              Attr("lastMessageBody") == seen.last_message->body
                        : same_count && AttributeNotExists("lastMessageAt");
}

}  // namespace

std::size_t Chat::participants_max() const {
  return options_.order_by_activity ? kParticipantsByActivityMax : kParticipantsAtCreationMax;
}

PutItemInput Chat::PutParticipant(const Participant& participant,
                                  const Conversation& conversation) const {
  Item item = ToItem(participant);
  if (options_.order_by_activity) AddInboxAttributes(conversation, &item);
  return {.item = std::move(item), .condition = AttributeNotExists("PK")};
}

Result<Conversation> Chat::CreateConversation(const NewConversation& request) {
  if (Status status = CheckParticipants(request, participants_max()); !status.ok()) return status;

  const Timestamp now = database_.clock()->Now();
  Conversation conversation = {
      .id = request.id.empty() ? ulids_->Next() : request.id,
      .name = request.name,
      .type = request.type,
      .participant_count = static_cast<std::uint32_t>(request.participants.size()),
      .created_at = request.created_at.value_or(now),
      .updated_at = now};
  std::vector<TransactWriteItem> actions = {
      {.table = table_,
       .action =
           PutItemInput{.item = ToItem(conversation), .condition = AttributeNotExists("PK")}}};
  for (const NewParticipant& participant : request.participants) {
    const Participant joining = {
        .id = {.conversation_id = conversation.id, .user_id = participant.user_id},
        .role = participant.role,
        .joined_at = conversation.created_at,
        .last_read_at = conversation.created_at};
    actions.push_back({.table = table_, .action = PutParticipant(joining, conversation)});
  }
  const Status status = database_.TransactWriteItems({.actions = actions}).status();
  if (Refused(status, 0)) return ConversationExists(conversation.id);
  if (!status.ok()) return status;
  return conversation;
}

Status Chat::AddParticipant(const ParticipantId& id, Role role) {
  if (Status status = CheckUserId(id.user_id); !status.ok()) return status;
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    const Result<Conversation> conversation = GetConversation(id.conversation_id);
    if (!conversation.ok()) return conversation.status();
    UpdateItemInput count = CountParticipants(id.conversation_id, 1);
    if (options_.order_by_activity) {
      if (conversation->participant_count >= kParticipantsByActivityMax) {
        return Status::Validation(id.conversation_id + " has " +
                                  std::to_string(kParticipantsByActivityMax) +
                                  " participants, which is all that order_by_activity allows");
      }
      RequireUnchanged(*conversation, &count);
    }
    const Timestamp now = database_.clock()->Now();
    const Participant joining = {.id = id,
                                 .role = role,
                                 .joined_at = now,
                                 .last_read_at = std::max(now, conversation->LastActivity())};
    const Status status = Transaction(database_, table_)
                              .Put(PutParticipant(joining, *conversation))
                              .Update(std::move(count))
                              .Commit()
                              .status();
    if (Refused(status, 0)) return ParticipantExists(id);
    if (!Refused(status, 1)) return status;
  }
  return Status::TransactionConflict();
}

Status Chat::RemoveParticipant(const ParticipantId& id) {
  const Status status = Transaction(database_, table_)
                            .Delete({.key = ParticipantKey(id), .condition = AttributeExists("PK")})
                            .Update(CountParticipants(id.conversation_id, -1))
                            .Commit()
                            .status();
  if (Refused(status, 1)) return NoConversation(id.conversation_id);
  if (Refused(status, 0)) return NotAParticipant(id);
  return status;
}

Status Chat::MarkRead(const ParticipantId& id, Timestamp up_to) {
  const std::string at = TimeText(up_to);
  const Status status = table_
                            .UpdateItem({.key = ParticipantKey(id),
                                         .update = Update().Set("lastReadAt", at),
                                         .condition = Attr("lastReadAt") < at,
                                         .return_item_on_condition_failure = true})
                            .status();
  if (status.code() != StatusCode::kConditionalCheckFailed) return status;
  // The user who has read further already is fine; one who is not there is not.
  return status.item() != nullptr ? Status() : NotAParticipant(id);
}

}  // namespace dolmen::chat
