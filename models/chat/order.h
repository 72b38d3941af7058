// The order of the messages of a conversation, and the preview of its last message.
//
// A message's id is a ULID, which begins with the time. The clocks of two senders can differ, and a
// sender can be slower than another. Each send therefore depends on the condition that the last
// message is older (IsAfterLastMessage). If it is not, the send is repeated, with an id after the last
// message (IdAfter).

#pragma once

#include "models/chat/entities.h"

namespace dolmen::chat {

// Returns the id of a message that is sent after `last`, the conversation's last message: `ulid`, a new
// ULID by the clock. If it does not sort after `last`, its time becomes the millisecond after that of
// `last`.
inline std::string IdAfter(const std::optional<MessagePreview>& last, const std::string& ulid) {
  constexpr std::size_t kTimeChars = 10;
  if (!last || last->id < ulid) return ulid;
  const std::string next = LowestUlid(last->at + std::chrono::milliseconds(1));
  return next.substr(0, kTimeChars) + ulid.substr(kTimeChars);
}

// Returns the condition that the id sorts after the conversation's last message.
inline ConditionBuilder IsAfterLastMessage(const std::string& ulid) {
  const AttrOf<&Conversation::last_message, &MessagePreview::id> last_message_id;
  return last_message_id.NotExists() || last_message_id < ulid;
}

// Returns the condition that a conversation takes messages and participants.
inline ConditionBuilder IsOpen() { return AttrOf<&Conversation::archived_at>().NotExists(); }
inline constexpr const char* kIsArchived = "the conversation is archived";

// Returns the preview of a message, with the first 256 bytes of its body.
inline MessagePreview PreviewOf(const Message& message) {
  std::string body = message.body;
  std::size_t size = 256;
  if (body.size() > size) {
    // Cuts before a character: in UTF-8 every byte after a character's first has the form 10xxxxxx.
    while (size > 0 && (static_cast<unsigned char>(body[size]) & 0xC0) == 0x80) --size;
    body = body.substr(0, size) + "…";
  }
  return {message.id.ulid, body, message.sender_id, TimeOf(message)};
}

}  // namespace dolmen::chat
