// The chat's access patterns on the sample data.

#include "models/chat/chat.h"

#include <gtest/gtest.h>

#include "tests/models/chat_fixture.h"

namespace dolmen::chat {
namespace {

class ChatSampleTest : public ChatTest {
 protected:
  ChatSampleTest() {
    const Status status = LoadSampleData(&chat_);
    if (!status.ok()) throw std::runtime_error(status.ToString());
  }

  Item Stored(std::string_view partition, std::string_view sort) {
    const Table table = Value(database_.OpenTable("chat"));
    const GetItemOutput output = Value(table.GetItem({.key = {{"PK", partition}, {"SK", sort}}}));
    return output.item ? Value(output.item->Copy()) : Item();
  }
};
DOLMEN_BOTH_INBOXES(ChatSampleTest);

TEST_P(ChatSampleTest, ItemsAreThePatterns) {
  EXPECT_EQ(Stored("CONVO#c_01", "#METADATA"), (Item{{"PK", "CONVO#c_01"},
                                                     {"SK", "#METADATA"},
                                                     {"name", "Project Chat"},
                                                     {"type", "group"},
                                                     {"lastMessageBody", "Sounds good!"},
                                                     {"lastMessageSender", "u_02"},
                                                     {"lastMessageAt", "2026-04-15T10:30:00.000Z"},
                                                     {"participantCount", 2},
                                                     {"createdAt", "2026-04-01T09:00:00.000Z"},
                                                     {"updatedAt", "2026-04-15T12:00:00.000Z"}}));
  const MessageId id = SampleMessageSoundsGood();
  EXPECT_EQ(Stored("CONVO#c_01", "MSG#" + id.ulid),
            (Item{{"PK", "CONVO#c_01"},
                  {"SK", "MSG#" + id.ulid},
                  {"senderId", "u_02"},
                  {"body", "Sounds good!"},
                  {"type", "text"},
                  {"createdAt", "2026-04-15T10:30:00.000Z"}}));
  Item participant = {{"PK", "CONVO#c_01"},
                      {"SK", "PARTICIPANT#u_01"},
                      {"GSI1PK", "USER#u_01"},
                      {"GSI1SK", "CONVO#c_01"},
                      {"role", "admin"},
                      {"joinedAt", "2026-04-01T09:00:00.000Z"},
                      {"lastReadAt", "2026-04-15T10:25:00.000Z"}};
  if (GetParam()) {
    participant.insert({{"GSI2PK", "USER#u_01"},
                        {"GSI2SK", "2026-04-15T10:30:00.000Z#CONVO#c_01"},
                        {"conversationName", "Project Chat"},
                        {"conversationType", "group"},
                        {"lastMessageBody", "Sounds good!"},
                        {"lastMessageSender", "u_02"},
                        {"lastMessageAt", "2026-04-15T10:30:00.000Z"}});
  }
  EXPECT_EQ(Stored("CONVO#c_01", "PARTICIPANT#u_01"), participant);
}

TEST_P(ChatSampleTest, Ap1ConversationMetadata) {
  const Conversation group = Value(chat_.GetConversation("c_01"));
  EXPECT_EQ(group, (Conversation{.id = "c_01",
                                 .name = "Project Chat",
                                 .type = ConversationType::kGroup,
                                 .last_message = MessagePreview{.body = "Sounds good!",
                                                                .sender_id = "u_02",
                                                                .at = Time("2026-04-15T10:30:00Z")},
                                 .participant_count = 2,
                                 .created_at = Time("2026-04-01T09:00:00Z"),
                                 .updated_at = clock_->Now()}));
  const Conversation direct = Value(chat_.GetConversation("c_02"));
  EXPECT_EQ(direct.name, std::nullopt);
  EXPECT_EQ(direct.type, ConversationType::kDirect);
  ASSERT_TRUE(direct.last_message.has_value());
  EXPECT_EQ(direct.last_message->body, "See you tomorrow");
  EXPECT_EQ(direct.last_message->sender_id, "u_01");

  EXPECT_THAT(chat_.GetConversation("c_09"),
              StatusIs(StatusCode::kResourceNotFound, "there is no conversation c_09"));
}

TEST_P(ChatSampleTest, Ap2ConversationsOfAUserMostRecentFirst) {
  std::vector<InboxEntry> inbox = Value(chat_.ListConversations("u_01"));
  ASSERT_EQ(inbox.size(), 2u);
  EXPECT_EQ(inbox[0],
            (InboxEntry{.conversation_id = "c_01",
                        .name = "Project Chat",
                        .type = ConversationType::kGroup,
                        .last_message = MessagePreview{.body = "Sounds good!",
                                                       .sender_id = "u_02",
                                                       .at = Time("2026-04-15T10:30:00Z")},
                        .last_activity = Time("2026-04-15T10:30:00Z"),
                        .role = Role::kAdmin,
                        .last_read_at = Time("2026-04-15T10:25:00Z")}));
  EXPECT_TRUE(inbox[0].HasUnread());
  EXPECT_EQ(inbox[1].conversation_id, "c_02");
  EXPECT_FALSE(inbox[1].HasUnread());

  Send("c_02", "u_03", "Or on Monday?");
  inbox = Value(chat_.ListConversations("u_01"));
  ASSERT_EQ(inbox.size(), 2u);
  EXPECT_EQ(inbox[0].conversation_id, "c_02");
  EXPECT_EQ(inbox[0].last_message->body, "Or on Monday?");
  EXPECT_EQ(inbox[1].conversation_id, "c_01");

  inbox = Value(chat_.ListConversations("u_01", 1));
  ASSERT_EQ(inbox.size(), 1u);
  EXPECT_EQ(inbox[0].conversation_id, "c_02");
  EXPECT_TRUE(Value(chat_.ListConversations("u_09")).empty());
}

TEST_P(ChatSampleTest, Ap3Participants) {
  const std::vector<Participant> participants = Value(chat_.ListParticipants("c_01"));
  const Timestamp joined = Time("2026-04-01T09:00:00Z");
  EXPECT_EQ(participants,
            (std::vector<Participant>{{.id = {"c_01", "u_01"},
                                       .role = Role::kAdmin,
                                       .joined_at = joined,
                                       .last_read_at = Time("2026-04-15T10:25:00Z")},
                                      {.id = {"c_01", "u_02"},
                                       .role = Role::kMember,
                                       .joined_at = joined,
                                       .last_read_at = Time("2026-04-15T10:30:00Z")}}));
  EXPECT_TRUE(Value(chat_.ListParticipants("c_09")).empty());
}

TEST_P(ChatSampleTest, Ap4MessagesNewestFirst) {
  const MessagePage page = Value(chat_.ListMessages({.conversation_id = "c_01"}));
  EXPECT_EQ(Bodies(page.messages),
            (std::vector<std::string>{"Sounds good!", "Can we ship by Friday?"}));
  EXPECT_EQ(page.next_cursor, "");
  EXPECT_TRUE(Value(chat_.ListMessages({.conversation_id = "c_09"})).messages.empty());
}

TEST_P(ChatSampleTest, Ap5OneMessage) {
  const MessageId id = SampleMessageCanWeShip();
  EXPECT_EQ(Value(chat_.GetMessage(id)), (Message{.id = id,
                                                  .sender_id = "u_01",
                                                  .body = "Can we ship by Friday?",
                                                  .type = "text",
                                                  .created_at = Time("2026-04-15T10:25:00Z")}));
  EXPECT_THAT(
      chat_.GetMessage({.conversation_id = "c_02", .ulid = id.ulid}),
      StatusIs(StatusCode::kResourceNotFound, "there is no message " + id.ulid + " in c_02"));
}

TEST_P(ChatSampleTest, Ap6UnreadCount) {
  EXPECT_EQ(Unread({"c_01", "u_01"}), 1u);
  EXPECT_EQ(Unread({"c_01", "u_02"}), 0u);
  EXPECT_EQ(Unread({"c_02", "u_01"}), 0u);
  EXPECT_EQ(Unread({"c_02", "u_03"}), 0u);
  EXPECT_THAT(chat_.CountUnread({"c_01", "u_09"}),
              StatusIs(StatusCode::kResourceNotFound, "u_09 is not a participant of c_01"));
}

TEST_P(ChatSampleTest, Ap7Send) {
  const Message sent = Send("c_01", "u_02", "Friday it is");
  EXPECT_EQ(sent.created_at, clock_->Now());
  EXPECT_EQ(Value(UlidTime(sent.id.ulid)), clock_->Now());
  EXPECT_EQ(Value(chat_.GetMessage(sent.id)), sent);

  const Conversation group = Value(chat_.GetConversation("c_01"));
  EXPECT_EQ(group.last_message, (MessagePreview{"Friday it is", "u_02", clock_->Now()}));
  EXPECT_EQ(group.updated_at, clock_->Now());

  EXPECT_EQ(Unread({"c_01", "u_01"}), 2u);
  EXPECT_EQ(Unread({"c_01", "u_02"}), 0u) << "the sender has read what is before the message";
}

TEST_P(ChatSampleTest, LoadingAgainChangesNothing) {
  const Conversation before = Value(chat_.GetConversation("c_01"));
  Send("c_02", "u_03", "Or on Monday?");
  clock_->Advance(std::chrono::hours(1));
  ASSERT_THAT(LoadSampleData(&chat_), IsOk());
  EXPECT_EQ(Value(chat_.GetConversation("c_01")), before);
  EXPECT_EQ(Value(chat_.GetConversation("c_02")).last_message->body, "Or on Monday?");
  EXPECT_EQ(WholeHistory(chat_, "c_01").size(), 2u);
}

}  // namespace
}  // namespace dolmen::chat
