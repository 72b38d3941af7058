// The design of the table, with its keys and its access patterns, and the pattern's sample data.
// README.md shows both and lists the values that the pattern does not contain. A test compares the page
// with the design (tests/models/readme_test.cc).

#pragma once

#include <dolmen/entity/describe.h>

#include "models/chat/chat.h"

namespace dolmen::chat {

// Returns the design. Each access pattern names its first request; README.md tells what follows it.
inline TableDesign Design() {
  return Describe<Conversation, Participant, Message, Settings, CommittedRequest>(
      "chat",
      {AccessPattern("AP1 Conversation metadata", "GetConversation").With<&Conversation::id>(),
       AccessPattern("AP2 A user's conversations", "ListConversations")
           .With<&Participant::id, &ParticipantId::user_id>(),
       AccessPattern("AP2 A user's conversations, latest first", "ListRecent")
           .With<&Participant::id, &ParticipantId::user_id>()
           .SortedBy<&Participant::summary, &ConversationSummary::last_activity>(),
       AccessPattern("AP3 Participants of a conversation", "ListParticipants")
           .With<&Participant::id, &ParticipantId::conversation_id>(),
       AccessPattern("AP4 Messages, newest first, in pages of 50", "ListMessages")
           .With<&Message::id, &MessageId::conversation_id>()
           .SortedBy<&Message::id, &MessageId::ulid>(),
       AccessPattern("AP5 One message", "GetMessage")
           .With<&Message::id, &MessageId::conversation_id>()
           .With<&Message::id, &MessageId::ulid>(),
       AccessPattern("AP6 Unread messages", "CountUnread")
           .With<&Message::id, &MessageId::conversation_id>()
           .SortedBy<&Message::id, &MessageId::ulid>()});
}

// Return the ids of the sample's messages. Each is the first id of its time.
inline MessageId SampleMessageCanWeShip() {
  return {"c_01", LowestUlid(*ParseIso8601("2026-04-15T10:25:00Z"))};
}
inline MessageId SampleMessageSoundsGood() {
  return {"c_01", LowestUlid(*ParseIso8601("2026-04-15T10:30:00Z"))};
}
inline MessageId SampleMessageSeeYou() {
  return {"c_02", LowestUlid(*ParseIso8601("2026-04-15T09:00:00Z"))};
}

// Creates the group c_01 "Project Chat" of u_01 and u_02, and the direct conversation c_02 of u_01 and
// u_03, through the chat's ordinary operations. Everybody has read the messages up to their own last
// one, and u_03 has read all. Existing items are not changed, so an interrupted load can be repeated.
inline Status LoadSampleData(Chat* chat) {
  const auto load = [&](NewConversation conversation, const std::vector<Message>& messages) {
    conversation.created_at = *ParseIso8601("2026-04-01T09:00:00Z");
    Status status = chat->CreateConversation(conversation)
                        .status()
                        .Ignoring(StatusCode::kResourceInUse)
                        .and_then([&] { return chat->ImportMessages(messages); });
    for (const Message& message : messages) {
      const ParticipantId sender = {conversation.id, message.sender_id};
      status = status.and_then([&] { return chat->MarkRead(sender, TimeOf(message)); });
    }
    return status;
  };
  const std::vector<NewParticipant> group = {{"u_01", Role::kAdmin}, {"u_02"}};
  const std::vector<NewParticipant> pair = {{"u_01"}, {"u_03"}};
  const Message see_you = {SampleMessageSeeYou(), "u_01", "See you tomorrow"};
  return load({.id = "c_01", .name = "Project Chat", .participants = group},
              {{SampleMessageCanWeShip(), "u_01", "Can we ship by Friday?"},
               {SampleMessageSoundsGood(), "u_02", "Sounds good!"}})
      .and_then([&] {
        const auto type = ConversationType::kDirect;
        return load({.id = "c_02", .type = type, .participants = pair}, {see_you});
      })
      .and_then([&] {
        return chat->MarkRead({"c_02", "u_03"}, TimeOf(see_you));
      });
}

}  // namespace dolmen::chat
