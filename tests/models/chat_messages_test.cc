// Tests of sending, importing, paging and counting messages.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/models/chat_fixture.h"

namespace dolmen::chat {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using testing::HasSubstr;

class ChatMessagesTest : public ChatTest {
 protected:
  ChatMessagesTest() { MakeGroup("c_01"); }

  // Returns the `n`th ULID of the clock's current millisecond.
  std::string UlidNow(int n) {
    std::string ulid = LowestUlid(clock_->Now());
    const std::string digits = std::to_string(n);
    return ulid.replace(ulid.size() - digits.size(), digits.size(), digits);
  }

  Status Import(const std::string& ulid, const std::string& sender_id, const std::string& body) {
    return chat_.ImportMessages({{{.id = {"c_01", ulid}, .sender_id = sender_id, .body = body}}});
  }

  Result<Message> SendAs(const std::string& sender_id, const std::string& body) {
    return chat_.SendMessage({.conversation_id = "c_01", .sender_id = sender_id, .body = body});
  }

  std::vector<Message> History(int count) {
    std::vector<Message> messages;
    for (int i = 0; i < count; ++i) {
      messages.push_back(
          {.id = {"c_01", UlidNow(0)}, .sender_id = "u_07", .body = std::to_string(i)});
      clock_->Advance(milliseconds(1));
    }
    return messages;
  }

  EntityPage<Message> Page(const std::string& cursor) {
    return Value(chat_.ListMessages({.conversation_id = "c_01", .cursor = cursor, .limit = 50}));
  }
};

TEST_F(ChatMessagesTest, CursorsPageThroughTheWholeHistory) {
  for (int i = 0; i < 120; ++i) {
    Send("c_01", "u_01", std::to_string(i));
    clock_->Advance(milliseconds(i % 3));  // some messages share a millisecond
  }
  const EntityPage<Message> first = Page("");
  Send("c_01", "u_02", "arrives while paging");
  const EntityPage<Message> second = Page(first.next_cursor);
  const EntityPage<Message> third = Page(second.next_cursor);
  EXPECT_EQ(first.items.size(), 50u);
  EXPECT_EQ(second.items.size(), 50u);
  EXPECT_EQ(third.items.size(), 20u);
  EXPECT_EQ(third.next_cursor, "");

  int expected = 120;
  for (const EntityPage<Message>* page : {&first, &second, &third}) {
    for (const Message& message : page->items) {
      EXPECT_EQ(message.body, std::to_string(--expected));
    }
  }
}

TEST_F(ChatMessagesTest, UnreadBeginsAfterTheMillisecondOfLastReadAt) {
  const Timestamp last_read_at = clock_->Now() + hours(1);
  ASSERT_THAT(chat_.MarkRead({"c_01", "u_02"}, last_read_at), IsOk());
  struct Case {
    int offset_ms;
    std::uint64_t unread;
  };
  // Sends three messages in each of four milliseconds: the millisecond before lastReadAt, the
  // millisecond of lastReadAt, and the two milliseconds after lastReadAt.
  for (const auto& [offset_ms, unread] : {Case{-1, 0}, Case{0, 0}, Case{1, 3}, Case{2, 6}}) {
    clock_->Set(last_read_at + milliseconds(offset_ms));
    for (int i = 0; i < 3; ++i) Send("c_01", "u_01", "hello");
    EXPECT_EQ(Unread({"c_01", "u_02"}), unread) << offset_ms;
  }
  EXPECT_EQ(Unread({"c_01", "u_01"}), 0u);
}

// Times are compared as texts, so each stored time has milliseconds. If the milliseconds 000 were
// left out, "10:30:00Z" would sort after the later time "10:30:00.001Z".
TEST_F(ChatMessagesTest, WholeSecondsSortBeforeTheirMilliseconds) {
  ASSERT_EQ(clock_->Now(), Time("2026-04-15T12:00:00Z"));
  Send("c_01", "u_01", "on the second");
  clock_->Advance(milliseconds(1));
  ASSERT_THAT(chat_.MarkRead({"c_01", "u_02"}, clock_->Now()), IsOk());
  EXPECT_EQ(Unread({"c_01", "u_02"}), 0u);
  Send("c_01", "u_01", "behind it");
  EXPECT_EQ(Value(chat_.GetConversation("c_01")).last_message->body, "behind it");
}

TEST_F(ChatMessagesTest, UnreadCountsMoreThanOnePage) {
  const std::string long_body(10'000, 'x');
  for (int i = 0; i < 250; ++i) {  // 2.5 MB, read 1 MB at a time
    clock_->Advance(milliseconds(1));
    Send("c_01", "u_01", long_body);
  }
  EXPECT_EQ(Unread({"c_01", "u_02"}), 250u);
}

TEST_F(ChatMessagesTest, MarkReadNeverGoesBack) {
  clock_->Advance(milliseconds(1));
  const Message message = Send("c_01", "u_01", "hello");
  EXPECT_EQ(Unread({"c_01", "u_02"}), 1u);
  EXPECT_THAT(chat_.MarkRead({"c_01", "u_02"}, message.created_at), IsOk());
  EXPECT_EQ(Unread({"c_01", "u_02"}), 0u);
  EXPECT_THAT(chat_.MarkRead({"c_01", "u_02"}, message.created_at - hours(1)), IsOk());
  EXPECT_EQ(Unread({"c_01", "u_02"}), 0u);
  EXPECT_THAT(chat_.MarkRead({"c_01", "u_09"}, message.created_at),
              IsNoParticipant({"c_01", "u_09"}));
  EXPECT_EQ(Value(chat_.ListParticipants("c_01")).size(), 2u) << "MarkRead creates no participant";
}

TEST_F(ChatMessagesTest, ARefusedSendWritesNothing) {
  const Conversation before = Value(chat_.GetConversation("c_01"));
  EXPECT_THAT(SendAs("u_09", "let me in"), IsNoParticipant({"c_01", "u_09"}));
  EXPECT_THAT(chat_.SendMessage({.conversation_id = "c_09", .sender_id = "u_01", .body = "x"}),
              IsNoConversation("c_09"));
  EXPECT_EQ(Value(chat_.GetConversation("c_01")), before);
  EXPECT_TRUE(WholeHistory(chat_, "c_01").empty());
  EXPECT_TRUE(WholeHistory(chat_, "c_09").empty());
  EXPECT_EQ(Value(chat_.ListParticipants("c_01")).size(), 2u);
  EXPECT_TRUE(Value(chat_.ListParticipants("c_09")).empty());
}

TEST_F(ChatMessagesTest, MalformedMessagesAreRejected) {
  EXPECT_THAT(Import("not a ulid", "u_01", "x"),
              StatusIs(StatusCode::kValidation, HasSubstr("messageId is not a ULID")));
  EXPECT_THAT(Import("7ZZZZZZZZZZZZZZZZZZZZZZZZZZ", "u_01", "x"),
              StatusIs(StatusCode::kValidation, _));
  EXPECT_THAT(SendAs("", "x"), StatusIs(StatusCode::kValidation, HasSubstr("senderId")));
  EXPECT_THAT(SendAs("u_01", ""), StatusIs(StatusCode::kValidation, HasSubstr("body is empty")));
  EXPECT_THAT(SendAs("u_01", std::string(400 * 1024, 'x')), StatusIs(StatusCode::kValidation, _));
  EXPECT_THAT(chat_.ListMessages({.conversation_id = "c_01", .limit = 0}),
              StatusIs(StatusCode::kValidation, _));
  EXPECT_TRUE(WholeHistory(chat_, "c_01").empty());
}

TEST_F(ChatMessagesTest, AnImportedOldMessageChangesNeitherPreviewNorLastReadAt) {
  const std::string old = UlidNow(1);
  clock_->Advance(hours(1));
  const Message newest = Send("c_01", "u_01", "newest");
  ASSERT_THAT(Import(old, "u_01", "old"), IsOk());
  EXPECT_EQ(Bodies(WholeHistory(chat_, "c_01")), (std::vector<std::string>{"newest", "old"}));
  EXPECT_EQ(Value(chat_.GetConversation("c_01")).last_message->body, "newest");
  EXPECT_EQ(Value(chat_.ListParticipants("c_01"))[0].last_read_at, newest.created_at);
}

// The last message is later than the clock's time, so the first attempt to send fails. The second
// attempt gives the message a time after it.
TEST_F(ChatMessagesTest, AMessageSortsAfterOneFromAClockThatWasAhead) {
  ASSERT_THAT(Import(LowestUlid(clock_->Now() + hours(2)), "u_02", "from a fast clock"), IsOk());
  ASSERT_THAT(chat_.MarkRead({"c_01", "u_01"}, clock_->Now() + hours(1)), IsOk());
  const Message message = Send("c_01", "u_01", "hello");
  EXPECT_EQ(message.created_at, clock_->Now() + hours(2) + milliseconds(1));
  EXPECT_EQ(Value(UlidTime(message.id.ulid)), message.created_at);
  EXPECT_EQ(Unread({"c_01", "u_01"}), 0u);
}

// The clock goes back after the first Chat has sent a message. A second Chat simulates a restart:
// its ULID generator is new and does not know the time of that message. The second Chat's messages
// must still sort after it.
TEST_F(ChatMessagesTest, ClockGoingBackDoesNotReorderMessages) {
  Send("c_01", "u_01", "0");
  clock_->Advance(-hours(1));
  Chat restarted = Open();
  for (int i = 1; i < 4; ++i) {
    const Message message = Value(restarted.SendMessage(
        {.conversation_id = "c_01", .sender_id = "u_02", .body = std::to_string(i)}));
    EXPECT_EQ(message.created_at, Value(UlidTime(message.id.ulid)));
    EXPECT_EQ(Value(chat_.GetConversation("c_01")).last_message->body, message.body);
  }
  EXPECT_EQ(Bodies(WholeHistory(chat_, "c_01")), (std::vector<std::string>{"3", "2", "1", "0"}));
  EXPECT_EQ(Unread({"c_01", "u_01"}), 3u);
}

TEST_F(ChatMessagesTest, PreviewIsTheBeginningOfALongBody) {
  Send("c_01", "u_01", "x" + std::string(255, 'y') + "z");
  EXPECT_EQ(Value(chat_.GetConversation("c_01")).last_message->body,
            "x" + std::string(255, 'y') + "…");

  std::string umlauts = "x";  // byte 256 is inside a character
  for (int i = 0; i < 200; ++i) umlauts += "ü";
  Send("c_01", "u_01", umlauts);
  EXPECT_EQ(Value(chat_.GetConversation("c_01")).last_message->body, umlauts.substr(0, 255) + "…");
  EXPECT_EQ(WholeHistory(chat_, "c_01")[0].body.size(), umlauts.size());
}

TEST_F(ChatMessagesTest, ImportStoresHistory) {
  const Timestamp start = clock_->Now();
  std::vector<Message> history = History(250);
  std::ranges::reverse(history);  // their order does not matter
  ASSERT_THAT(chat_.ImportMessages(history), IsOk());

  const std::vector<Message> stored = WholeHistory(chat_, "c_01");
  ASSERT_EQ(stored.size(), 250u);
  EXPECT_EQ(stored.front().body, "249");
  EXPECT_EQ(stored.back().body, "0");
  EXPECT_EQ(stored.back().created_at, start);
  EXPECT_EQ(Value(chat_.GetConversation("c_01")).last_message,
            (MessagePreview{stored.front().id.ulid, "249", "u_07", start + milliseconds(249)}));
  EXPECT_EQ(Unread({"c_01", "u_02"}), 249u) << "the first message has the time of lastReadAt";

  Send("c_01", "u_01", "later");
  ASSERT_THAT(chat_.ImportMessages(history), IsOk()) << "an import can be repeated";
  EXPECT_EQ(WholeHistory(chat_, "c_01").size(), 251u);
  EXPECT_EQ(Value(chat_.GetConversation("c_01")).last_message->body, "later");
}

TEST_F(ChatMessagesTest, ImportRequiresOneExistingConversation) {
  EXPECT_THAT(chat_.ImportMessages({}), IsOk());
  std::vector<Message> history = History(2);
  history[1].id.conversation_id = "c_02";
  EXPECT_THAT(chat_.ImportMessages(history), StatusIs(StatusCode::kValidation, _));
  EXPECT_TRUE(WholeHistory(chat_, "c_01").empty());

  history[0].id.conversation_id = "c_02";
  EXPECT_THAT(chat_.ImportMessages(history), IsNoConversation("c_02"));
  EXPECT_TRUE(WholeHistory(chat_, "c_02").empty());
}

}  // namespace
}  // namespace dolmen::chat
