// Tests of subscriptions to a chat's messages.

#include <gtest/gtest.h>

#include "models/chat/chat.h"
#include "tests/models/chat_fixture.h"

namespace dolmen::chat {
namespace {

class ChatNotificationsTest : public ChatTest {
 protected:
  ChatNotificationsTest() {
    chat_ = OpenWithFeed(database_);
    MakeGroup("c_01");
  }

  Chat OpenWithFeed(const Database& database) {
    return Value(Chat::Open(database, {.stream = true}));
  }

  // Subscribes with a handler that appends each message to told_.
  Subscription Subscribe(const std::string& name) {
    return Value(chat_.SubscribeToMessages(
        name,
        [this](const Message& message) {
          told_.push_back(message);
          return Status();
        },
        false));
  }

  std::vector<Message> told_;
};

TEST_F(ChatNotificationsTest, NewMessagesAreDeliveredInOrder) {
  Subscription subscription = Subscribe("push");
  const Message first = Send("c_01", "u_01", "Can we ship by Friday?");
  clock_->Advance(std::chrono::seconds(1));
  const Message second = Send("c_01", "u_02", "Sounds good!");
  EXPECT_THAT(subscription.Deliver(), test::IsOkAndHolds(2U));
  EXPECT_EQ(told_, (std::vector<Message>{first, second}));
}

// Sending a message also changes the items of the conversation and of the participants. The
// subscription must deliver only the message.
TEST_F(ChatNotificationsTest, OtherChangesAreNotDelivered) {
  Subscription subscription = Subscribe("push");
  MakeGroup("c_02");
  EXPECT_THAT(Join({"c_02", "u_03"}), IsOk());
  clock_->Advance(std::chrono::seconds(1));
  EXPECT_THAT(chat_.MarkRead({"c_02", "u_01"}, clock_->Now()), IsOk());
  EXPECT_THAT(chat_.RemoveParticipant({"c_02", "u_03"}), IsOk());
  EXPECT_THAT(subscription.Deliver(), test::IsOkAndHolds(0U));
  Send("c_02", "u_01", "Hello");
  EXPECT_THAT(subscription.Deliver(), test::IsOkAndHolds(1U));
  EXPECT_EQ(Bodies(told_), (std::vector<std::string>{"Hello"}));
}

TEST_F(ChatNotificationsTest, AReimportedMessageIsNotDeliveredAgain) {
  const Message old = {.id = {"c_01", LowestUlid(Time("2026-01-01T00:00:00Z"))},
                       .sender_id = "u_09",
                       .body = "from before"};
  Subscription subscription = Subscribe("push");
  EXPECT_THAT(chat_.ImportMessages({{old}}), IsOk());
  EXPECT_THAT(subscription.Deliver(), test::IsOkAndHolds(1U));
  Message edited = old;
  edited.body = "from before, edited";
  EXPECT_THAT(chat_.ImportMessages({{edited}}), IsOk());
  EXPECT_THAT(subscription.Deliver(), test::IsOkAndHolds(0U));
}

// A handler is allowed to call the chat. For example, a bot answers messages.
TEST_F(ChatNotificationsTest, AHandlerMaySendMessages) {
  Subscription subscription = Value(chat_.SubscribeToMessages(
      "bot",
      [this](const Message& message) {
        if (message.sender_id == "u_02") return Status();
        return chat_
            .SendMessage({.conversation_id = "c_01", .sender_id = "u_02", .body = "I heard you"})
            .status();
      },
      false));
  Send("c_01", "u_01", "Hello?");
  EXPECT_THAT(subscription.Deliver(), test::IsOkAndHolds(1U));
  EXPECT_EQ(Bodies(WholeHistory(chat_, "c_01")),
            (std::vector<std::string>{"I heard you", "Hello?"}));
}

TEST_F(ChatNotificationsTest, AChatCreatedWithTheFeedHasAStream) {
  chat_ = OpenWithFeed(Value(Database::InMemory({.clock = clock_})));
  MakeGroup("c_01");
  Subscription subscription = Subscribe("push");
  Send("c_01", "u_01", "Hello");
  EXPECT_THAT(subscription.Deliver(), test::IsOkAndHolds(1U));
}

TEST_F(ChatNotificationsTest, TheFeedStaysWhenAChatIsOpenedWithoutIt) {
  chat_ = Open();
  Subscription subscription = Subscribe("push");
  Send("c_01", "u_01", "Hello");
  EXPECT_THAT(subscription.Deliver(), test::IsOkAndHolds(1U));
}

TEST_F(ChatNotificationsTest, SubscribingToAChatWithoutAFeedIsRejected) {
  const Database database = Value(Database::InMemory({.clock = clock_}));
  const Chat chat = Value(Chat::Open(database));
  EXPECT_EQ(Value(database.DescribeTable("chat")).stream_specification, std::nullopt);
  EXPECT_THAT(chat.SubscribeToMessages("push", [](const Message&) { return Status(); }),
              StatusIs(StatusCode::kValidation, _));
}

}  // namespace
}  // namespace dolmen::chat
