// What can be wrong with a request to a Chat, in words for people, and how to find out.

#pragma once

#include <dolmen/status.h>

#include <cstddef>
#include <string>

#include "models/chat/entities.h"

namespace dolmen::chat {

// Whether a transaction was cancelled because the condition of its action at `index` was false.
inline bool Refused(const Status& status, std::size_t index) {
  return status.code() == StatusCode::kTransactionCanceled &&
         status.reasons()[index].code() == StatusCode::kConditionalCheckFailed;
}

inline Status NoConversation(const std::string& id) {
  return Status::ResourceNotFound("there is no conversation " + id);
}

inline Status ConversationExists(const std::string& id) {
  return Status::ResourceInUse("there is a conversation " + id + " already");
}

inline Status NotAParticipant(const ParticipantId& id) {
  return Status::ResourceNotFound(id.user_id + " is not a participant of " + id.conversation_id);
}

inline Status ParticipantExists(const ParticipantId& id) {
  return Status::ResourceInUse(id.user_id + " is a participant of " + id.conversation_id +
                               " already");
}

inline Status NoMessage(const MessageId& id) {
  return Status::ResourceNotFound("there is no message " + id.ulid + " in " + id.conversation_id);
}

inline Status MessageExists(const MessageId& id) {
  return Status::ResourceInUse("there is a message " + id.ulid + " in " + id.conversation_id +
                               " already");
}

}  // namespace dolmen::chat
