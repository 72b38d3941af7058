// Tests of creating, joining and leaving conversations, and of reopening a chat.

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "tests/models/chat_fixture.h"
#include "tests/support/temp_directory.h"

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
DOLMEN_BOTH_INBOXES(ChatParticipantsTest);

TEST_P(ChatParticipantsTest, CreateStoresTheConversationAndItsParticipants) {
  const Conversation made = Value(chat_.CreateConversation(
      {.name = "Lunch", .participants = {{"u_02", Role::kMember}, {"u_01", Role::kAdmin}}}));
  EXPECT_EQ(Value(UlidTime(made.id)), clock_->Now()) << "a new ULID is the id";
  EXPECT_EQ(Value(chat_.GetConversation(made.id)), made);
  EXPECT_EQ(UserIds(made.id), (std::vector<std::string>{"u_01", "u_02"}));

  const std::vector<InboxEntry> inbox = Value(chat_.ListConversations("u_01"));
  ASSERT_EQ(inbox.size(), 1u);
  EXPECT_EQ(inbox[0], (InboxEntry{.conversation_id = made.id,
                                  .name = "Lunch",
                                  .type = ConversationType::kGroup,
                                  .last_activity = clock_->Now(),
                                  .role = Role::kAdmin,
                                  .last_read_at = clock_->Now()}));
  EXPECT_FALSE(inbox[0].HasUnread());
}

TEST_P(ChatParticipantsTest, CreateRejectsMalformedRequests) {
  EXPECT_THAT(Create("c_01", {}), StatusIs(StatusCode::kValidation, _));
  EXPECT_THAT(Create("c_01", {{""}}), StatusIs(StatusCode::kValidation, HasSubstr("userId")));
  EXPECT_THAT(Create("c_01", {{"u#01"}}), StatusIs(StatusCode::kValidation, HasSubstr("userId")))
      << "a '#' would make it look like another key";
  EXPECT_THAT(Create("c_01", {{"u_01"}, {"u_02"}, {"u_01"}}),
              StatusIs(StatusCode::kValidation, "u_01 is listed as a participant twice"));
  EXPECT_THAT(chat_.GetConversation("c_01"), StatusIs(StatusCode::kResourceNotFound, _));

  MakeGroup("c_01");
  EXPECT_THAT(Create("c_01", {{"u_03"}}),
              StatusIs(StatusCode::kResourceInUse,
                       R"(there is a conversation with conversationId "c_01" already)"));
  EXPECT_EQ(UserIds("c_01"), (std::vector<std::string>{"u_01", "u_02"}));
}

TEST_P(ChatParticipantsTest, ParticipantLimitsFitIntoOneTransaction) {
  const std::size_t count_max =
      GetParam() ? Chat::kParticipantsByActivityMax : Chat::kParticipantsAtCreationMax;
  EXPECT_THAT(Create("c_01", Crowd(count_max + 1)), StatusIs(StatusCode::kValidation, _));
  ASSERT_THAT(Create("c_01", Crowd(count_max)), IsOk());
  Send("c_01", "u_1000", "100 actions with order_by_activity");

  const Status status = chat_.AddParticipant({"c_01", "u_2000"});
  if (GetParam()) {
    EXPECT_THAT(status, StatusIs(StatusCode::kValidation,
                                 "c_01 has 98 participants, the most that order_by_activity "
                                 "allows"));
  } else {
    EXPECT_THAT(status, IsOk());
    Send("c_01", "u_2000", "a send is three actions whatever the size of the group");
  }
}

TEST_P(ChatParticipantsTest, AJoinedConversationIsListedWithItsPreview) {
  MakeGroup("c_01");
  clock_->Advance(hours(1));
  Send("c_01", "u_01", "hello");
  clock_->Advance(hours(1));
  ASSERT_THAT(chat_.AddParticipant({"c_01", "u_03"}, Role::kAdmin), IsOk());

  EXPECT_EQ(UserIds("c_01"), (std::vector<std::string>{"u_01", "u_02", "u_03"}));
  EXPECT_EQ(Value(chat_.GetConversation("c_01")).participant_count, 3u);
  const std::vector<InboxEntry> inbox = Value(chat_.ListConversations("u_03"));
  ASSERT_EQ(inbox.size(), 1u);
  EXPECT_EQ(inbox[0].role, Role::kAdmin);
  EXPECT_EQ(inbox[0].last_message->body, "hello");
  EXPECT_EQ(inbox[0].last_activity, clock_->Now() - hours(1));
  EXPECT_EQ(Unread({"c_01", "u_03"}), 0u) << "messages before joining count as read";
  clock_->Advance(hours(1));
  Send("c_01", "u_01", "welcome");
  EXPECT_EQ(Unread({"c_01", "u_03"}), 1u);
  EXPECT_EQ(Value(chat_.ListConversations("u_03"))[0].last_message->body, "welcome");

  EXPECT_THAT(
      chat_.AddParticipant({"c_01", "u_03"}),
      StatusIs(StatusCode::kResourceInUse,
               R"(there is a participant with conversationId "c_01", userId "u_03" already)"));
  EXPECT_THAT(chat_.AddParticipant({"c_09", "u_03"}), IsNoConversation("c_09"));
  EXPECT_THAT(chat_.AddParticipant({"c_01", ""}), StatusIs(StatusCode::kValidation, _));
  EXPECT_EQ(Value(chat_.GetConversation("c_01")).participant_count, 3u);
}

TEST_P(ChatParticipantsTest, AFormerParticipantCannotSendOrMarkAsRead) {
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

TEST_P(ChatParticipantsTest, InboxIsSortedByActivity) {
  for (int i = 0; i < 30; ++i) MakeGroup("c_" + std::to_string(100 + i));  // all in one millisecond
  clock_->Advance(hours(1));
  Send("c_107", "u_02", "first");
  clock_->Advance(hours(1));
  Send("c_103", "u_02", "second");

  std::vector<std::string> ids;
  for (const InboxEntry& entry : Value(chat_.ListConversations("u_01"))) {
    ids.push_back(entry.conversation_id);
  }
  ASSERT_EQ(ids.size(), 30u);
  EXPECT_EQ(ids[0], "c_103");
  EXPECT_EQ(ids[1], "c_107");
  EXPECT_EQ(ids[2], "c_129") << "ties are in descending order of the ids";
  EXPECT_EQ(ids[29], "c_100");
  EXPECT_EQ(Value(chat_.ListConversations("u_01", 7)).size(), 7u);
  EXPECT_EQ(Value(chat_.ListConversations("u_01", 31)).size(), 30u);
  EXPECT_TRUE(Value(chat_.ListConversations("u_01", 0)).empty());
}

// The import begins while the conversation has no participants. u_02 joins before the import writes
// the preview of the last message.
TEST_P(ChatParticipantsTest, AUserWhoJoinsDuringAnImportSeesTheLastMessage) {
  ASSERT_THAT(Create("c_09", {{"u_01"}}), IsOk());
  ASSERT_THAT(chat_.RemoveParticipant({"c_09", "u_01"}), IsOk());
  bool joins = true;
  const RequestObserver others = [&](const RequestTrace& trace) {
    const char* before_the_preview = GetParam() ? "Query" : "TransactWriteItems";
    if (trace.operation == before_the_preview && std::exchange(joins, false)) {
      EXPECT_THAT(chat_.AddParticipant({"c_09", "u_02"}), IsOk());
    }
  };
  Chat importer =
      Value(Chat::Open(database_, {.order_by_activity = GetParam(), .observer = others}));
  const std::vector<NewMessage> history = {{.conversation_id = "c_09",
                                            .sender_id = "u_01",
                                            .body = "Goodbye",
                                            .ulid = LowestUlid(Time("2026-04-15T11:59:00Z"))}};
  ASSERT_THAT(importer.ImportMessages(history), IsOk());
  const auto inbox = Value(chat_.ListConversations("u_02"));
  ASSERT_EQ(inbox.size(), 1U);
  ASSERT_TRUE(inbox[0].last_message.has_value());
  EXPECT_EQ(inbox[0].last_message->body, "Goodbye");
}

TEST_P(ChatParticipantsTest, OpeningWithAnotherOrderByActivityIsRejected) {
  EXPECT_THAT(Chat::Open(database_, {.order_by_activity = GetParam()}), IsOk());
  EXPECT_THAT(
      Chat::Open(database_, {.order_by_activity = !GetParam()}),
      StatusIs(StatusCode::kValidation,
               GetParam() ? "this chat has order_by_activity: open it with the option"
                          : "this chat has no order_by_activity: open it without the option"));
}

TEST_P(ChatParticipantsTest, AChatIsUnchangedAfterReopening) {
  const test::TempDirectory temp;
  const std::filesystem::path directory = temp / "chat.dolmen";
  const ChatOptions options = {.order_by_activity = GetParam()};
  std::optional<Message> sent;
  {
    Chat chat = Value(Chat::Open(Value(Database::Open(directory)), options));
    ASSERT_THAT(LoadSampleData(&chat), IsOk());
    sent = Value(chat.SendMessage({.conversation_id = "c_01", .sender_id = "u_01", .body = "Hi"}));
  }
  {
    const Chat chat = Value(Chat::Open(Value(Database::Open(directory)), options));
    EXPECT_EQ(Value(chat.GetMessage(sent->id)), *sent);
    EXPECT_EQ(Value(chat.ListMessages({.conversation_id = "c_01"})).messages.size(), 3u);
    EXPECT_EQ(Value(chat.ListConversations("u_02"))[0].last_message->body, "Hi");
    EXPECT_EQ(Value(chat.CountUnread({"c_01", "u_02"})), 1u);
  }
}

}  // namespace
}  // namespace dolmen::chat
