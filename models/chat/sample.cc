#include "models/chat/sample.h"

#include <dolmen/clock.h>

#include <chrono>

namespace dolmen::chat {
namespace {

using namespace std::chrono_literals;

constexpr Timestamp kCreated = std::chrono::sys_days(2026y / 4 / 1) + 9h;
constexpr Timestamp kSampleDay = std::chrono::sys_days(2026y / 4 / 15);
constexpr Timestamp kSeeYouAt = kSampleDay + 9h;
constexpr Timestamp kCanWeShipAt = kSampleDay + 10h + 25min;
constexpr Timestamp kSoundsGoodAt = kSampleDay + 10h + 30min;

// Creates the conversation with its messages. Everybody has read the messages up to their own last
// one, and u_03 has read all.
Status Load(Chat* chat, NewConversation request, const std::vector<Message>& messages) {
  request.created_at = kCreated;
  Status status = chat->CreateConversation(request).status();
  // The error means that an earlier call has created it.
  if (!status.ok() && status.code() != StatusCode::kResourceInUse) return status;
  status = chat->ImportMessages(messages);
  for (const Message& message : messages) {
    if (!status.ok()) return status;
    const ParticipantId sender = {request.id, message.sender_id};
    status = chat->MarkRead(sender, *UlidTime(message.id.ulid));
  }
  return status;
}

}  // namespace

MessageId SampleMessageCanWeShip() { return {"c_01", LowestUlid(kCanWeShipAt)}; }
MessageId SampleMessageSoundsGood() { return {"c_01", LowestUlid(kSoundsGoodAt)}; }
MessageId SampleMessageSeeYou() { return {"c_02", LowestUlid(kSeeYouAt)}; }

Status LoadSampleData(Chat* chat) {
  Status status = Load(
      chat,
      {.id = "c_01", .name = "Project Chat", .participants = {{"u_01", Role::kAdmin}, {"u_02"}}},
      {{.id = SampleMessageCanWeShip(), .sender_id = "u_01", .body = "Can we ship by Friday?"},
       {.id = SampleMessageSoundsGood(), .sender_id = "u_02", .body = "Sounds good!"}});
  if (status.ok()) {
    status = Load(
        chat,
        {.id = "c_02", .type = ConversationType::kDirect, .participants = {{"u_01"}, {"u_03"}}},
        {{.id = SampleMessageSeeYou(), .sender_id = "u_01", .body = "See you tomorrow"}});
  }
  return status.ok() ? chat->MarkRead({"c_02", "u_03"}, kSeeYouAt) : status;
}

}  // namespace dolmen::chat
