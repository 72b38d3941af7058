// Tests of inboxes: unread counts, and inboxes that the table keeps sorted by activity.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/chat_fixture.h"

namespace dolmen::chat {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using testing::ElementsAre;

class ChatInboxTest : public ChatTest {
 protected:
  ChatInboxTest() { chat_ = OpenWithStream(); }

  Chat OpenWithStream() {
    return Value(Chat::Open(database_, {.stream = true, .observer = log_.observer()}));
  }

  Subscription Sort() { return Value(chat_.SortInboxes(false)); }

  std::vector<std::string> RecentIds(const std::string& user_id) {
    std::vector<std::string> ids;
    for (const InboxEntry& entry : Value(chat_.ListRecent(user_id)).items) {
      ids.push_back(entry.reader.id.conversation_id);
    }
    return ids;
  }
};

TEST_F(ChatInboxTest, UnreadCountsStopAtTheirLimit) {
  MakeGroup("c_01");
  clock_->Advance(seconds(1));
  for (int i = 0; i < 150; ++i) Send("c_01", "u_01", "hello");
  EXPECT_EQ(Value(chat_.ListConversations("u_02"))[0].unread, kUnreadMax);
  EXPECT_EQ(Value(chat_.ListConversations("u_01"))[0].unread, 0u);
  EXPECT_EQ(Unread({"c_01", "u_02"}, 120), 120u);
  EXPECT_EQ(Unread({"c_01", "u_02"}, 1000), 150u);
}

TEST_F(ChatInboxTest, FirstUnreadIsTheOldestUnreadMessage) {
  MakeGroup("c_01");
  EXPECT_EQ(Value(chat_.FirstUnread({"c_01", "u_02"})), std::nullopt);
  clock_->Advance(seconds(1));
  const Message first = Send("c_01", "u_01", "first");
  Send("c_01", "u_01", "second");
  EXPECT_EQ(Value(chat_.FirstUnread({"c_01", "u_02"})), first);
  EXPECT_THAT(chat_.FirstUnread({"c_01", "u_09"}), IsNoParticipant({"c_01", "u_09"}));
}

TEST_F(ChatInboxTest, TheOrderOfAChatThatExistsCanBeSwitched) {
  ASSERT_THAT(LoadSampleData(&chat_), IsOk());
  EXPECT_THAT(RecentIds("u_01"), testing::IsEmpty());
  {
    const Subscription sorting = Sort();
    EXPECT_THAT(RecentIds("u_01"), ElementsAre("c_01", "c_02"));
    EXPECT_THAT(chat_.SortInboxes(), StatusIs(StatusCode::kResourceInUse, _));
    EXPECT_THAT(chat_.StopSortingInboxes(), StatusIs(StatusCode::kResourceInUse, _));
  }
  ASSERT_THAT(chat_.StopSortingInboxes(), IsOk());
  EXPECT_THAT(RecentIds("u_01"), testing::IsEmpty());
  Send("c_02", "u_03", "Or on Monday?");
  const Subscription sorting = Sort();
  EXPECT_THAT(RecentIds("u_01"), ElementsAre("c_02", "c_01"));
}

TEST_F(ChatInboxTest, StoppingTheSortingCanBeRepeated) {
  ASSERT_THAT(LoadSampleData(&chat_), IsOk());
  { const Subscription sorting = Sort(); }
  EXPECT_THAT(chat_.StopSortingInboxes(), IsOk());
  EXPECT_THAT(chat_.StopSortingInboxes(), IsOk());
}

TEST_F(ChatInboxTest, ASortedInboxHasPages) {
  for (int i = 0; i < 30; ++i) {
    clock_->Advance(seconds(1));
    MakeGroup("c_" + std::to_string(100 + i));
  }
  Subscription sorting = Sort();
  log_.Take();
  const auto first = Value(chat_.ListRecent("u_01", {.limit = 20}));
  EXPECT_EQ(log_.Take().size(), 1u) << "one Query, as nothing is unread";
  ASSERT_EQ(first.items.size(), 20u);
  EXPECT_EQ(first.items[0].reader.id.conversation_id, "c_129");
  const auto second = Value(chat_.ListRecent("u_01", {.cursor = first.next_cursor, .limit = 20}));
  ASSERT_EQ(second.items.size(), 10u);
  EXPECT_EQ(second.items[9].reader.id.conversation_id, "c_100");
  EXPECT_EQ(second.next_cursor, "");
}

// The changes reach the inbox through the stream: sends, joins, names, edits and deletions.
TEST_F(ChatInboxTest, ASortedInboxFollowsEachChange) {
  Subscription sorting = Sort();
  const auto top = [&](const std::string& user_id) {
    EXPECT_THAT(sorting.Deliver(), test::IsOkAndHolds(_));
    return Value(chat_.ListRecent(user_id)).items.at(0);
  };
  MakeGroup("c_01");
  clock_->Advance(hours(1));
  MakeGroup("c_02");
  EXPECT_EQ(top("u_01").reader.id.conversation_id, "c_02");
  clock_->Advance(hours(1));
  Send("c_01", "u_02", "hello");
  const Message last = Send("c_01", "u_02", "helo again");
  EXPECT_EQ(top("u_01").conversation, Value(chat_.GetConversation("c_01")).Summary());
  EXPECT_EQ(top("u_01").unread, 2u);
  ASSERT_THAT(Join({"c_01", "u_03"}), IsOk());
  EXPECT_EQ(top("u_03").conversation.last_message->body, "helo again");
  ASSERT_THAT(chat_.EditMessage(last.id, "u_02", "hello again"), IsOk());
  EXPECT_EQ(top("u_03").conversation.last_message->body, "hello again");
  Value(chat_.RenameConversation("c_01", "Lunch"));
  EXPECT_EQ(top("u_03").conversation.name, "Lunch");
  ASSERT_THAT(chat_.DeleteMessage(last.id, "u_02"), IsOk());
  EXPECT_EQ(top("u_03").conversation.last_message->body, "hello");
  ASSERT_THAT(chat_.DeleteConversation("c_01"), IsOk());
  EXPECT_EQ(top("u_01").reader.id.conversation_id, "c_02");
}

TEST_F(ChatInboxTest, SortingResumesWhereItStopped) {
  MakeGroup("c_01");
  MakeGroup("c_02");
  { const Subscription sorting = Sort(); }
  clock_->Advance(hours(1));
  Send("c_01", "u_02", "while nobody sorts");
  EXPECT_THAT(RecentIds("u_01"), ElementsAre("c_02", "c_01"));
  Subscription sorting = Sort();
  EXPECT_THAT(sorting.Deliver(), test::IsOkAndHolds(_));
  EXPECT_THAT(RecentIds("u_01"), ElementsAre("c_01", "c_02"));
}

TEST_F(ChatInboxTest, SortingNeedsAStream) {
  Chat chat = Value(Chat::Open(Value(Database::InMemory({.clock = clock_}))));
  EXPECT_THAT(chat.SortInboxes(), StatusIs(StatusCode::kValidation, _));
}

}  // namespace
}  // namespace dolmen::chat
