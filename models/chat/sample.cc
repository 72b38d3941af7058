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

// Turns kResourceInUse into success. The error means that an earlier call has loaded the item.
Status Accept(const Status& status) {
  return status.code() == StatusCode::kResourceInUse ? Status() : status;
}

Status Create(Chat* chat, NewConversation request) {
  request.created_at = kCreated;
  return Accept(chat->CreateConversation(request).status());
}

Status Send(Chat* chat, const MessageId& id, const std::string& sender_id,
            const std::string& body) {
  return Accept(chat->SendMessage({.conversation_id = id.conversation_id,
                                   .sender_id = sender_id,
                                   .body = body,
                                   .ulid = id.ulid})
                    .status());
}

Status LoadProjectChat(Chat* chat) {
  Status status = Create(chat, {.id = "c_01",
                                .name = "Project Chat",
                                .type = ConversationType::kGroup,
                                .participants = {{"u_01", Role::kAdmin}, {"u_02", Role::kMember}}});
  if (!status.ok()) return status;
  status = Send(chat, SampleMessageCanWeShip(), "u_01", "Can we ship by Friday?");
  if (!status.ok()) return status;
  return Send(chat, SampleMessageSoundsGood(), "u_02", "Sounds good!");
}

Status LoadDirect(Chat* chat) {
  Status status =
      Create(chat, {.id = "c_02",
                    .type = ConversationType::kDirect,
                    .participants = {{"u_01", Role::kMember}, {"u_03", Role::kMember}}});
  if (!status.ok()) return status;
  status = Send(chat, SampleMessageSeeYou(), "u_01", "See you tomorrow");
  if (!status.ok()) return status;
  return chat->MarkRead({.conversation_id = "c_02", .user_id = "u_03"}, kSeeYouAt);
}

}  // namespace

MessageId SampleMessageCanWeShip() { return {"c_01", LowestUlid(kCanWeShipAt)}; }
MessageId SampleMessageSoundsGood() { return {"c_01", LowestUlid(kSoundsGoodAt)}; }
MessageId SampleMessageSeeYou() { return {"c_02", LowestUlid(kSeeYouAt)}; }

Status LoadSampleData(Chat* chat) {
  if (Status status = LoadProjectChat(chat); !status.ok()) return status;
  return LoadDirect(chat);
}

}  // namespace dolmen::chat
