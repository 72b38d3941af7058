// Tests of the people in conversations: creating, joining, leaving, roles.

#include <gtest/gtest.h>

#include <vector>

#include "tests/models/chat_fixture.h"

namespace dolmen::chat {
namespace {

using std::chrono::hours;
using testing::HasSubstr;

class ChatParticipantsTest : public ChatTest {
 protected:
  std::vector<std::string> UserIds(const std::string& conversation_id) {
    std::vector<std::string> ids;
    for (const Participant& participant : Value(chat_.ListParticipants(conversation_id))) {
      ids.push_back(participant.id.user_id);
    }
    return ids;
  }

  Status Create(const std::string& id, const std::vector<NewParticipant>& participants) {
    return chat_.CreateConversation({.id = id, .participants = participants}).status();
  }

  static std::vector<NewParticipant> Crowd(std::size_t count) {
    std::vector<NewParticipant> crowd(count);
    for (std::size_t i = 0; i < count; ++i) crowd[i].user_id = "u_" + std::to_string(1000 + i);
    return crowd;
  }
};

TEST_F(ChatParticipantsTest, CreateStoresTheConversationAndItsParticipants) {
  const Conversation made = Value(chat_.CreateConversation(
      {.name = "Lunch", .participants = {{"u_02", Role::kMember}, {"u_01", Role::kAdmin}}}));
  EXPECT_EQ(Value(UlidTime(made.id)), clock_->Now()) << "a new ULID is the id";
  EXPECT_EQ(Value(chat_.GetConversation(made.id)), made);
  EXPECT_EQ(UserIds(made.id), (std::vector<std::string>{"u_01", "u_02"}));

  EXPECT_EQ(Value(chat_.GetParticipant({made.id, "u_01"})),
            (Participant{.id = {made.id, "u_01"},
                         .role = Role::kAdmin,
                         .joined_at = clock_->Now(),
                         .last_read_at = clock_->Now()}));
}

TEST_F(ChatParticipantsTest, CreateRejectsMalformedRequests) {
  EXPECT_THAT(Create("c_01", {{""}}), StatusIs(StatusCode::kValidation, HasSubstr("userId")));
  EXPECT_THAT(Create("c_01", {{"u#01"}}), StatusIs(StatusCode::kValidation, HasSubstr("userId")))
      << "a '#' would make it look like another key";
  EXPECT_THAT(Create("c_01", {{"u_01"}, {"u_02"}, {"u_01"}}), StatusIs(StatusCode::kValidation, _))
      << "u_01 is listed twice";
  EXPECT_THAT(chat_.GetConversation("c_01"), StatusIs(StatusCode::kResourceNotFound, _));

  MakeGroup("c_01");
  EXPECT_THAT(Create("c_01", {{"u_03"}}),
              StatusIs(StatusCode::kResourceInUse,
                       R"(there is a conversation with conversationId "c_01" already)"));
  EXPECT_EQ(UserIds("c_01"), (std::vector<std::string>{"u_01", "u_02"}));
}

TEST_F(ChatParticipantsTest, AGroupCanHaveAnyNumberOfPeople) {
  ASSERT_THAT(Create("c_01", Crowd(99)), IsOk()) << "100 actions";
  ASSERT_THAT(Create("c_02", Crowd(250)), IsOk()) << "three transactions";
  EXPECT_EQ(UserIds("c_02").size(), 250u);
  EXPECT_EQ(Value(chat_.GetConversation("c_02")).participant_count, 250u);
  ASSERT_THAT(Join({"c_02", "u_2000"}), IsOk());
  Send("c_02", "u_2000", "a send is three actions whatever the size of the group");
  EXPECT_EQ(Unread({"c_02", "u_1249"}), 0u) << "it was sent in the millisecond of lastReadAt";
}

TEST_F(ChatParticipantsTest, AllPeopleOfALargeGroupJoinAtItsCreation) {
  const Timestamp created_at = clock_->Now() - std::chrono::hours(1);
  Value(chat_.CreateConversation(
      {.id = "c_01", .participants = Crowd(150), .created_at = created_at}));
  for (const Participant& one : Value(chat_.ListParticipants("c_01"))) {
    EXPECT_EQ(one.joined_at, created_at) << one.id.user_id;
  }
}

TEST_F(ChatParticipantsTest, ARoleCanBeChanged) {
  MakeGroup("c_01");
  EXPECT_EQ(Value(chat_.ChangeRole({"c_01", "u_02"}, Role::kAdmin)).role, Role::kAdmin);
  EXPECT_EQ(Value(chat_.GetParticipant({"c_01", "u_02"})).role, Role::kAdmin);
  EXPECT_THAT(chat_.ChangeRole({"c_01", "u_09"}, Role::kAdmin), IsNoParticipant({"c_01", "u_09"}));
}

TEST_F(ChatParticipantsTest, JoiningAndLeavingSetUpdatedAt) {
  MakeGroup("c_01");
  for (const bool joins : {true, false}) {
    clock_->Advance(hours(1));
    ASSERT_THAT(joins ? Join({"c_01", "u_03"}) : chat_.RemoveParticipant({"c_01", "u_03"}), IsOk());
    EXPECT_EQ(Value(chat_.GetConversation("c_01")).updated_at, clock_->Now());
  }
}

TEST_F(ChatParticipantsTest, AJoinedConversationIsListedWithItsPreview) {
  MakeGroup("c_01");
  clock_->Advance(hours(1));
  Send("c_01", "u_01", "hello");
  clock_->Advance(hours(1));
  ASSERT_THAT(Join({"c_01", "u_03"}, Role::kAdmin), IsOk());

  EXPECT_EQ(UserIds("c_01"), (std::vector<std::string>{"u_01", "u_02", "u_03"}));
  EXPECT_EQ(Value(chat_.GetConversation("c_01")).participant_count, 3u);
  const std::vector<InboxEntry> inbox = Value(chat_.ListConversations("u_03"));
  ASSERT_EQ(inbox.size(), 1u);
  EXPECT_EQ(inbox[0].reader.role, Role::kAdmin);
  EXPECT_EQ(inbox[0].conversation.last_message->body, "hello");
  EXPECT_EQ(inbox[0].conversation.last_activity, clock_->Now() - hours(1));
  EXPECT_EQ(Unread({"c_01", "u_03"}), 0u) << "messages before joining count as read";
  clock_->Advance(hours(1));
  Send("c_01", "u_01", "welcome");
  EXPECT_EQ(Unread({"c_01", "u_03"}), 1u);
  EXPECT_EQ(Value(chat_.ListConversations("u_03"))[0].conversation.last_message->body, "welcome");

  EXPECT_THAT(
      Join({"c_01", "u_03"}),
      StatusIs(StatusCode::kResourceInUse,
               R"(there is a participant with conversationId "c_01", userId "u_03" already)"));
  EXPECT_THAT(Join({"c_09", "u_03"}), IsNoConversation("c_09"));
  EXPECT_THAT(Join({"c_01", ""}), StatusIs(StatusCode::kValidation, _));
  EXPECT_EQ(Value(chat_.GetConversation("c_01")).participant_count, 3u);
}

TEST_F(ChatParticipantsTest, AFormerParticipantCannotSendOrMarkAsRead) {
  MakeGroup("c_01");
  Send("c_01", "u_02", "bye");
  ASSERT_THAT(chat_.RemoveParticipant({"c_01", "u_02"}), IsOk());

  EXPECT_EQ(UserIds("c_01"), std::vector<std::string>{"u_01"});
  EXPECT_EQ(Value(chat_.GetConversation("c_01")).participant_count, 1u);
  EXPECT_TRUE(Value(chat_.ListConversations("u_02")).empty());
  EXPECT_THAT(
      chat_.SendMessage({.conversation_id = "c_01", .sender_id = "u_02", .body = "one more"}),
      IsNoParticipant({"c_01", "u_02"}));
  Send("c_01", "u_01", "bye, u_02");
  EXPECT_EQ(UserIds("c_01"), std::vector<std::string>{"u_01"})
      << "a send does not restore a participant";
  EXPECT_EQ(Bodies(WholeHistory(chat_, "c_01")), (std::vector<std::string>{"bye, u_02", "bye"}));

  EXPECT_THAT(chat_.RemoveParticipant({"c_01", "u_02"}), IsNoParticipant({"c_01", "u_02"}));
  EXPECT_THAT(chat_.RemoveParticipant({"c_09", "u_02"}), IsNoConversation("c_09"));
}

TEST_F(ChatParticipantsTest, InboxIsSortedByActivity) {
  for (int i = 0; i < 30; ++i) MakeGroup("c_" + std::to_string(100 + i));  // all in one millisecond
  clock_->Advance(hours(1));
  Send("c_107", "u_02", "first");
  clock_->Advance(hours(1));
  Send("c_103", "u_02", "second");

  std::vector<std::string> ids;
  for (const InboxEntry& entry : Value(chat_.ListConversations("u_01"))) {
    ids.push_back(entry.reader.id.conversation_id);
  }
  ASSERT_EQ(ids.size(), 30u);
  EXPECT_EQ(ids[0], "c_103");
  EXPECT_EQ(ids[1], "c_107");
  EXPECT_EQ(ids[2], "c_129") << "ties are in descending order of the ids";
  EXPECT_EQ(ids[29], "c_100");
  EXPECT_EQ(Value(chat_.ListConversations("u_01", 7)).size(), 7u);
  EXPECT_EQ(Value(chat_.ListConversations("u_01", 31)).size(), 30u);
}

}  // namespace
}  // namespace dolmen::chat
