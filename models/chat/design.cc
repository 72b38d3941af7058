#include "models/chat/design.h"

#include "models/chat/entities.h"

namespace dolmen::chat {

TableDesign Design() {
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

}  // namespace dolmen::chat
