// Tests of conversations as a whole: direct conversations, renaming, archiving, deleting, the
// window.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "tests/models/chat_fixture.h"

namespace dolmen::chat {
namespace {

using std::chrono::hours;
using testing::HasSubstr;

constexpr const char* kExactlyTwoPeople = "a direct conversation has exactly two people";

class ChatConversationsTest : public ChatTest {
 protected:
  Result<Conversation> CreateDirect(const std::vector<NewParticipant>& people) {
    return chat_.CreateConversation({.type = ConversationType::kDirect, .participants = people});
  }
};

TEST_F(ChatConversationsTest, ADirectConversationHasExactlyTwoPeople) {
  EXPECT_THAT(CreateDirect({{"u_01"}}), StatusIs(StatusCode::kValidation, kExactlyTwoPeople));
  EXPECT_THAT(CreateDirect({{"u_01"}, {"u_02"}, {"u_03"}}),
              StatusIs(StatusCode::kValidation, kExactlyTwoPeople));
  EXPECT_THAT(CreateDirect({{"u_01"}, {"u_01"}}), StatusIs(StatusCode::kValidation, _));

  const std::string id = Value(CreateDirect({{"u_01"}, {"u_02"}})).id;
  EXPECT_THAT(Join({id, "u_03"}), StatusIs(StatusCode::kConditionalCheckFailed, kExactlyTwoPeople));
  EXPECT_THAT(chat_.RemoveParticipant({id, "u_01"}),
              StatusIs(StatusCode::kConditionalCheckFailed, kExactlyTwoPeople));
  EXPECT_EQ(Value(chat_.ListParticipants(id)).size(), 2u);
}

TEST_F(ChatConversationsTest, ADirectConversationIsFoundBeforeItIsMade) {
  const Conversation made = Value(chat_.OpenDirect("u_02", "u_01"));
  EXPECT_EQ(made.type, ConversationType::kDirect);
  log_.Take();
  EXPECT_EQ(Value(chat_.OpenDirect("u_01", "u_02")), made);
  EXPECT_EQ(log_.Take().size(), 2u) << "two GetItem: the claim of the pair, and its owner";
  EXPECT_NE(Value(chat_.OpenDirect("u_01", "u_03")).id, made.id);
  EXPECT_THAT(CreateDirect({{"u_01"}, {"u_02"}}),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("is taken")));
}

// The other call runs between the look-up, which finds nothing, and the creation.
TEST_F(ChatConversationsTest, TwoPeopleWhoWriteAtOnceGetOneDirectConversation) {
  std::optional<Conversation> made;
  bool is_late = false;
  const RequestObserver other = [&](const RequestTrace& trace) {
    if (trace.operation == "GetItem" && !std::exchange(is_late, true))
      made = Value(chat_.OpenDirect("u_02", "u_01"));
  };
  Chat late = Value(Chat::Open(database_, {.observer = other}));
  EXPECT_EQ(Value(late.OpenDirect("u_01", "u_02")), made);
}

TEST_F(ChatConversationsTest, AConversationCanBeRenamed) {
  MakeGroup("c_01");
  clock_->Advance(hours(1));
  const Conversation renamed = Value(chat_.RenameConversation("c_01", "Lunch"));
  EXPECT_EQ(renamed.name, "Lunch");
  EXPECT_EQ(renamed.updated_at, clock_->Now());
  EXPECT_EQ(Value(chat_.ListConversations("u_01"))[0].conversation.name, "Lunch");
  EXPECT_THAT(chat_.RenameConversation("c_09", "Lunch"), IsNoConversation("c_09"));
}

TEST_F(ChatConversationsTest, AnArchivedConversationTakesNoMessages) {
  MakeGroup("c_01");
  Send("c_01", "u_01", "last words");
  EXPECT_EQ(Value(chat_.ArchiveConversation("c_01")).archived_at, clock_->Now());
  EXPECT_THAT(chat_.SendMessage({.conversation_id = "c_01", .sender_id = "u_01", .body = "more"}),
              StatusIs(StatusCode::kConditionalCheckFailed, "the conversation is archived"));
  EXPECT_THAT(Join({"c_01", "u_03"}),
              StatusIs(StatusCode::kConditionalCheckFailed, "the conversation is archived"));
  const Message old = {.id = {.conversation_id = "c_01", .ulid = std::string(26, '0')},
                       .sender_id = "u_01",
                       .body = "history"};
  EXPECT_THAT(chat_.ImportMessages({{old}}),
              StatusIs(StatusCode::kConditionalCheckFailed, "the conversation is archived"));
  EXPECT_EQ(Bodies(WholeHistory(chat_, "c_01")), std::vector<std::string>{"last words"});

  EXPECT_EQ(Value(chat_.ArchiveConversation("c_01", false)).archived_at, std::nullopt);
  Send("c_01", "u_01", "more");
}

TEST_F(ChatConversationsTest, ADeletedConversationLeavesNothing) {
  const std::string id = Value(chat_.OpenDirect("u_01", "u_02")).id;
  for (int i = 0; i < 60; ++i) Send(id, "u_01", "hello");
  ASSERT_THAT(chat_.DeleteConversation(id), IsOk());
  const Table table = Value(database_.OpenTable("chat"));
  EXPECT_EQ(Value(table.Scan({})).count(), 0u);
  EXPECT_THAT(chat_.DeleteConversation(id), IsNoConversation(id));
  EXPECT_NE(Value(chat_.OpenDirect("u_01", "u_02")).id, id);
}

TEST_F(ChatConversationsTest, AWindowIsAGetItemAndOneQuery) {
  MakeGroup("c_01");
  for (int i = 0; i < 5; ++i) Send("c_01", "u_01", std::to_string(i));
  log_.Take();
  const ChatWindow window = Value(chat_.OpenWindow("c_01", 3));
  const std::vector<RequestTrace> traces = log_.Take();
  ASSERT_EQ(traces.size(), 2u);
  EXPECT_EQ(traces[0].operation, "GetItem");
  EXPECT_EQ(traces[1].operation, "Query");
  EXPECT_EQ(window.conversation, Value(chat_.GetConversation("c_01")));
  EXPECT_EQ(window.participants, Value(chat_.ListParticipants("c_01")));
  EXPECT_EQ(Bodies(window.messages), (std::vector<std::string>{"4", "3", "2"}));
  const auto older = Value(
      chat_.ListMessages({.conversation_id = "c_01", .before = window.messages.back().id.ulid}));
  EXPECT_EQ(Bodies(older.items), (std::vector<std::string>{"1", "0"}));
  EXPECT_THAT(chat_.OpenWindow("c_09"), IsNoConversation("c_09"));
}

}  // namespace
}  // namespace dolmen::chat
