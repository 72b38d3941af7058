#include "models/chat/order.h"

#include <dolmen/clock.h>

#include <chrono>

namespace dolmen::chat {
namespace {

constexpr std::size_t kPreviewBytesMax = 256;
constexpr std::size_t kUlidTimeChars = 10;

// Returns the ULID with the time of the next millisecond after `time`.
std::string MoveAfter(Timestamp time, std::string ulid) {
  const std::string next = LowestUlid(time + std::chrono::milliseconds(1));
  return ulid.replace(0, kUlidTimeChars, next, 0, kUlidTimeChars);
}

}  // namespace

Status Stamp(const EntityTable& table, Message* message) {
  const bool was_late = !message->id.ulid.empty();
  message->id.ulid = table.NewUlid();
  if (was_late) {
    const auto conversation = table.Get(Conversation{.id = message->id.conversation_id});
    if (!conversation.ok()) return conversation.status();
    const auto& last = conversation->last_message;
    if (last && last->id >= message->id.ulid) {
      message->id.ulid = MoveAfter(last->at, message->id.ulid);
    }
  }
  message->created_at = TimeOf(*message);
  return {};
}

ConditionBuilder IsAfterLastMessage(const std::string& ulid) {
  const AttrOf<&Conversation::last_message, &MessagePreview::id> last_message_id;
  return last_message_id.NotExists() || last_message_id < ulid;
}

MessagePreview PreviewOf(const Message& message) {
  std::string body = message.body;
  if (body.size() > kPreviewBytesMax) {
    std::size_t size = kPreviewBytesMax;
    // Cuts before a character: in UTF-8 every byte after a character's first has the form 10xxxxxx.
    while (size > 0 && (static_cast<unsigned char>(body[size]) & 0xC0) == 0x80) --size;
    body = body.substr(0, size) + "…";
  }
  return {.id = message.id.ulid,
          .body = std::move(body),
          .sender_id = message.sender_id,
          .at = TimeOf(message)};
}

}  // namespace dolmen::chat
