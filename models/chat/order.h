// The order of the messages of a conversation, and the preview of its last message.
//
// A message's id is a ULID, which begins with the time. The clocks of two senders can differ, and a
// sender can be slower than another. Each send therefore depends on the condition that the last
// message is older. If it is not, the send is repeated, with an id after the last message.

#pragma once

#include "models/chat/entities.h"

namespace dolmen::chat {

// Gives the message an id and its time, by the clock. If the message has an id, a send with this id
// was too late. Then the new id also sorts after the conversation's last message, which the call
// reads.
Status Stamp(const EntityTable& table, Message* message);

// Returns the condition that the id sorts after the conversation's last message.
ConditionBuilder IsAfterLastMessage(const std::string& ulid);

// Returns the preview of a message, with the beginning of its body.
MessagePreview PreviewOf(const Message& message);

}  // namespace dolmen::chat
