// Tests of deep links, of editing and deleting messages, and of sends with a token.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/chat_fixture.h"

namespace dolmen::chat {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using testing::ElementsAre;

class ChatEditsTest : public ChatTest {
 protected:
  ChatEditsTest() {
    MakeGroup("c_01");
    for (const char* body : {"0", "1", "2", "3", "4"}) {
      clock_->Advance(milliseconds(1));
      sent_.push_back(Send("c_01", "u_01", body));
    }
  }

  std::string Preview() {
    const auto last = Value(chat_.GetConversation("c_01")).last_message;
    return last ? last->body : "none";
  }

  std::vector<Message> sent_;
};

TEST_F(ChatEditsTest, MessagesBeforeAndAfterOne) {
  const std::string& id = sent_[2].id.ulid;
  const auto list = [&](const MessageQuery& query) {
    return Bodies(Value(chat_.ListMessages(query)).items);
  };
  EXPECT_THAT(list({.conversation_id = "c_01", .before = id}), ElementsAre("1", "0"));
  EXPECT_THAT(list({.conversation_id = "c_01", .after = id}), ElementsAre("3", "4"));
  EXPECT_THAT(list({.conversation_id = "c_01", .after = id, .limit = 1}), ElementsAre("3"));
  EXPECT_THAT(
      list({.conversation_id = "c_01", .before = sent_[4].id.ulid, .after = sent_[1].id.ulid}),
      ElementsAre("2", "3"));
}

TEST_F(ChatEditsTest, MessagesAroundOne) {
  EXPECT_THAT(Bodies(Value(chat_.ListMessagesAround(sent_[2].id, 1))), ElementsAre("3", "2", "1"));
  EXPECT_THAT(Bodies(Value(chat_.ListMessagesAround(sent_[4].id, 2))), ElementsAre("4", "3", "2"));
}

TEST_F(ChatEditsTest, AnEditChangesTheMessageAndItsPreview) {
  clock_->Advance(hours(1));
  ASSERT_THAT(chat_.EditMessage(sent_[4].id, "u_01", "four"), IsOk());
  const Message edited = Value(chat_.GetMessage(sent_[4].id));
  EXPECT_EQ(edited.body, "four");
  EXPECT_EQ(edited.edited_at, clock_->Now());
  EXPECT_EQ(edited.created_at, sent_[4].created_at);
  EXPECT_EQ(Preview(), "four");
  EXPECT_EQ(Value(chat_.GetConversation("c_01")).updated_at, clock_->Now());

  ASSERT_THAT(chat_.EditMessage(sent_[3].id, "u_01", "three"), IsOk());
  EXPECT_EQ(Preview(), "four");
  EXPECT_THAT(chat_.EditMessage(sent_[3].id, "u_02", "mine"),
              StatusIs(StatusCode::kConditionalCheckFailed, "only its sender edits a message"));
  EXPECT_THAT(chat_.EditMessage(sent_[3].id, "u_01", ""),
              StatusIs(StatusCode::kValidation, testing::HasSubstr("body is empty")));
}

TEST_F(ChatEditsTest, ADeletedLastMessageLeavesThePreviewOfTheOneBefore) {
  EXPECT_THAT(chat_.DeleteMessage(sent_[4].id, "u_02"),
              StatusIs(StatusCode::kConditionalCheckFailed, "only its sender deletes a message"));
  ASSERT_THAT(chat_.DeleteMessage(sent_[4].id, "u_01"), IsOk());
  EXPECT_EQ(Preview(), "3");
  ASSERT_THAT(chat_.DeleteMessage(sent_[1].id, "u_01"), IsOk());
  EXPECT_EQ(Preview(), "3");
  EXPECT_THAT(Bodies(WholeHistory(chat_, "c_01")), ElementsAre("3", "2", "0"));
  for (const int i : {3, 2, 0}) {
    ASSERT_THAT(chat_.DeleteMessage(sent_[static_cast<std::size_t>(i)].id, "u_01"), IsOk());
  }
  EXPECT_EQ(Preview(), "none");
  EXPECT_THAT(chat_.DeleteMessage(sent_[3].id, "u_01"), StatusIs(StatusCode::kResourceNotFound, _));
}

// A message arrives between the read of the conversation and the deletion of its last message.
TEST_F(ChatEditsTest, ADeletionThatRacesWithASendKeepsTheNewPreview) {
  bool sends = true;
  const RequestObserver other = [&](const RequestTrace& trace) {
    if (trace.operation == "GetItem" && std::exchange(sends, false)) Send("c_01", "u_02", "5");
  };
  Chat late = Value(Chat::Open(database_, {.observer = other}));
  ASSERT_THAT(late.DeleteMessage(sent_[4].id, "u_01"), IsOk());
  EXPECT_FALSE(sends);
  EXPECT_EQ(Preview(), "5");
}

TEST_F(ChatEditsTest, ARepeatedSendWithATokenReturnsTheFirstMessage) {
  const NewMessage request = {
      .conversation_id = "c_01", .sender_id = "u_01", .body = "once", .token = "t1"};
  const Message first = Value(chat_.SendMessage(request));
  clock_->Advance(hours(23));
  EXPECT_EQ(Value(chat_.SendMessage(request)), first);
  EXPECT_EQ(WholeHistory(chat_, "c_01").size(), 6u);
  clock_->Advance(hours(2));
  EXPECT_NE(Value(chat_.SendMessage(request)).id, first.id);
}

TEST_F(ChatEditsTest, ATokenNamesAMessageOfOneSenderInOneConversation) {
  MakeGroup("c_07");
  NewMessage request = {
      .conversation_id = "c_01", .sender_id = "u_01", .body = "by Ann", .token = "1"};
  const Message first = Value(chat_.SendMessage(request));
  request.sender_id = "u_02";
  request.body = "by Bob";
  EXPECT_EQ(Value(chat_.SendMessage(request)).body, "by Bob");
  request.conversation_id = "c_07";
  EXPECT_EQ(Value(chat_.SendMessage(request)).id.conversation_id, "c_07");
}

}  // namespace
}  // namespace dolmen::chat
