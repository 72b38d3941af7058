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
       AccessPattern("AP5 One message", "GetMessage").WithKey<Message>(),
       AccessPattern("AP6 Unread messages", "CountUnread")
           .With<&Message::id, &MessageId::conversation_id>()
           .SortedBy<&Message::id, &MessageId::ulid>()});
}

// Return the ids of the sample's messages. Each is the first id of its time.
inline MessageId FirstIdAt(const char* conversation_id, const char* time) {
  return {conversation_id, LowestUlid(*ParseIso8601(time))};
}
inline MessageId SampleMessageCanWeShip() { return FirstIdAt("c_01", "2026-04-15T10:25:00Z"); }
inline MessageId SampleMessageSoundsGood() { return FirstIdAt("c_01", "2026-04-15T10:30:00Z"); }

// Creates the group c_01 "Project Chat" of u_01 and u_02, and the direct conversation c_02 of u_01 and
// u_03, through the chat's ordinary operations. Everybody has read the messages up to their own last
// one, and u_03 has read all. Existing items are not changed, so an interrupted load can be repeated.
inline Status LoadSampleData(Chat* chat) {
  const Timestamp created = *ParseIso8601("2026-04-01T09:00:00Z");
  const NewConversation group = {.id = "c_01",
                                 .name = "Project Chat",
                                 .participants = {{"u_01", Role::kAdmin}, {"u_02"}},
                                 .created_at = created};
  const NewConversation pair = {.id = "c_02",
                                .type = ConversationType::kDirect,
                                .participants = {{"u_01"}, {"u_03"}},
                                .created_at = created};
  const Message in_group[] = {{SampleMessageCanWeShip(), "u_01", "Can we ship by Friday?"},
                              {SampleMessageSoundsGood(), "u_02", "Sounds good!"}};
  const Message in_pair[] = {
      {FirstIdAt("c_02", "2026-04-15T09:00:00Z"), "u_01", "See you tomorrow"}};
  for (const Status& written :
       {chat->CreateConversation(group).status(), chat->ImportMessages(in_group),
        chat->MarkRead({"c_01", "u_01"}, TimeOf(in_group[0])),
        chat->MarkRead({"c_01", "u_02"}, TimeOf(in_group[1])),
        chat->CreateConversation(pair).status(), chat->ImportMessages(in_pair),
        chat->MarkRead({"c_02", "u_01"}, TimeOf(in_pair[0])),
        chat->MarkRead({"c_02", "u_03"}, TimeOf(in_pair[0]))}) {
    // An earlier, interrupted load has written what is in use.
    const Status status = written.Ignoring(StatusCode::kResourceInUse);
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace dolmen::chat
