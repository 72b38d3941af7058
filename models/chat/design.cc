#include "models/chat/design.h"

#include "models/chat/entities.h"

namespace dolmen::chat {

TableDesign Design() {
  return Describe<Conversation, Participant, Message, Settings, CommittedRequest>(
      "chat",
      {AccessPattern("AP1 Conversation metadata").With<&Conversation::id>().By("GetConversation"),
       AccessPattern("AP2 A user's conversations")
           .With<&Participant::id, &ParticipantId::user_id>()
           .By("ListConversations"),
       AccessPattern("AP2 A user's conversations, latest first")
           .With<&Participant::id, &ParticipantId::user_id>()
           .SortedBy<&Participant::summary, &ConversationSummary::last_activity>()
           .By("ListRecent"),
       AccessPattern("AP3 Participants of a conversation")
           .With<&Participant::id, &ParticipantId::conversation_id>()
           .By("ListParticipants"),
       AccessPattern("AP4 Messages, newest first, in pages of 50")
           .With<&Message::id, &MessageId::conversation_id>()
           .SortedBy<&Message::id, &MessageId::ulid>()
           .By("ListMessages"),
       AccessPattern("AP5 One message")
           .With<&Message::id, &MessageId::conversation_id>()
           .With<&Message::id, &MessageId::ulid>()
           .By("GetMessage"),
       AccessPattern("AP6 Unread messages")
           .With<&Message::id, &MessageId::conversation_id>()
           .SortedBy<&Message::id, &MessageId::ulid>()
           .By("CountUnread")});
}

}  // namespace dolmen::chat
