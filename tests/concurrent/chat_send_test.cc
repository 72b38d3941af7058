// Tests of concurrent senders, joiners and leavers in one conversation.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <set>
#include <thread>

#include "models/chat/order.h"
#include "tests/models/chat_fixture.h"

namespace dolmen::chat {
namespace {

constexpr int kSenders = 8;
constexpr int kMessagesPerSender = 100;

class ChatSendTest : public testing::Test {
 protected:
  static std::string UserId(int i) { return "u_" + std::to_string(i); }

  ChatSendTest() {
    std::vector<NewParticipant> participants;
    for (int i = 0; i < kSenders; ++i) participants.push_back({UserId(i)});
    Value(chat_.CreateConversation({.id = "c_01", .participants = participants}));
  }

  // Sends all messages of one user, in order.
  void SendAll(const std::string& user_id) {
    for (int i = 0; i < kMessagesPerSender; ++i) {
      const Result<Message> sent = chat_.SendMessage({.conversation_id = "c_01",
                                                      .sender_id = user_id,
                                                      .body = user_id + " " + std::to_string(i)});
      EXPECT_THAT(sent, IsOk());
    }
  }

  Status Join(const ParticipantId& id) {
    return chat_.AddParticipants(id.conversation_id, {{{id.user_id}}});
  }

  // Returns the previews in a user's inbox, as both inboxes show them.
  std::vector<std::optional<MessagePreview>> Previews(const std::string& user_id) {
    EXPECT_THAT(sorting_.Deliver(), test::IsOkAndHolds(_));
    const std::vector<InboxEntry> inbox = Value(chat_.ListConversations(user_id));
    const std::vector<InboxEntry> recent = Value(chat_.ListRecent(user_id)).items;
    EXPECT_EQ(inbox.size(), recent.size());
    std::vector<std::optional<MessagePreview>> previews;
    for (std::size_t i = 0; i < inbox.size(); ++i) {
      previews.push_back(inbox[i].conversation.last_message);
      EXPECT_EQ(previews.back(), recent.at(i).conversation.last_message) << user_id;
    }
    return previews;
  }

  Database database_ = Value(Database::InMemory());
  Chat chat_ = Value(Chat::Open(database_, {.stream = true}));
  Subscription sorting_ = Value(chat_.SortInboxes());
};

TEST_F(ChatSendTest, RacingSendersLoseNoMessage) {
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kSenders; ++i) threads.emplace_back([this, i] { SendAll(UserId(i)); });
  }
  const std::vector<Message> history = WholeHistory(chat_, "c_01");
  ASSERT_EQ(history.size(), std::size_t{kSenders * kMessagesPerSender});

  std::set<std::string> bodies;
  for (const Message& message : history) bodies.insert(message.body);
  EXPECT_EQ(bodies.size(), history.size());

  const MessagePreview preview = *Value(chat_.GetConversation("c_01")).last_message;
  EXPECT_EQ(preview, PreviewOf(history.front())) << "the preview is not the newest message";
  for (int i = 0; i < kSenders; ++i) {
    EXPECT_THAT(Previews(UserId(i)), testing::ElementsAre(preview));
    const Participant reader = Value(chat_.GetParticipant({"c_01", UserId(i)}));
    EXPECT_EQ(Value(chat_.CountUnread(reader)),
              Value(chat_.CountUnread(reader, 100, UnreadMethod::kFilter)));
  }
}

// A client that repeats a send does not know whether its first call has arrived.
TEST_F(ChatSendTest, RacingSendsWithOneTokenSendOneMessage) {
  std::vector<std::string> ids(kSenders);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kSenders; ++i) {
      threads.emplace_back([&, i] {
        ids[static_cast<std::size_t>(i)] = Value(chat_.SendMessage({.conversation_id = "c_01",
                                                                    .sender_id = UserId(0),
                                                                    .body = "hello",
                                                                    .token = "t1"}))
                                               .id.ulid;
      });
    }
  }
  const std::vector<Message> history = WholeHistory(chat_, "c_01");
  ASSERT_EQ(history.size(), 1u);
  EXPECT_THAT(ids, testing::Each(history[0].id.ulid));
}

// A sender must not insert a message at a time that a reader has already read. The test compares
// only messages that are older than the newest message of an earlier read, because senders can
// still add messages in the millisecond of that newest message.
TEST_F(ChatSendTest, MessagesAppearInOrder) {
  std::atomic<int> senders_left = kSenders;
  std::vector<std::jthread> threads;
  for (int i = 0; i < kSenders; ++i) {
    threads.emplace_back([&, i] {
      SendAll(UserId(i));
      --senders_left;
    });
  }
  Timestamp newest_seen;
  std::size_t seen = 0;  // messages before the newest millisecond, which is complete
  while (senders_left > 0) {
    const std::vector<Message> history = WholeHistory(chat_, "c_01");
    const auto complete = static_cast<std::size_t>(std::ranges::count_if(
        history, [&](const Message& message) { return message.created_at < newest_seen; }));
    EXPECT_EQ(complete, seen) << "a message was inserted before one that had been seen";
    if (!history.empty()) newest_seen = history.front().created_at;
    seen = static_cast<std::size_t>(std::ranges::count_if(
        history, [&](const Message& message) { return message.created_at < newest_seen; }));
  }
}

TEST_F(ChatSendTest, JoinsAndLeavesDuringSendsKeepCountsAndPreviews) {
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kSenders; ++i) threads.emplace_back([this, i] { SendAll(UserId(i)); });
    threads.emplace_back([this] {
      for (int i = 0; i < 50; ++i) {
        const ParticipantId guest = {"c_01", "guest_" + std::to_string(i % 5)};
        EXPECT_THAT(Join(guest), IsOk());
        if (i >= 45) continue;
        EXPECT_THAT(chat_.RemoveParticipant(guest), IsOk());
      }
    });
  }
  EXPECT_EQ(WholeHistory(chat_, "c_01").size(), std::size_t{kSenders * kMessagesPerSender});
  const std::vector<Participant> participants = Value(chat_.ListParticipants("c_01"));
  EXPECT_EQ(participants.size(), std::size_t{kSenders + 5});
  const Conversation conversation = Value(chat_.GetConversation("c_01"));
  EXPECT_EQ(conversation.participant_count, participants.size());
  for (const Participant& participant : participants) {
    EXPECT_THAT(Previews(participant.id.user_id), testing::ElementsAre(conversation.last_message));
  }
}

// In each round one user joins while another user sends one message. Then the joiner's inbox must
// show this message. If a round had several messages, a later message could hide that the inbox
// missed an earlier one.
TEST_F(ChatSendTest, JoinerSeesAConcurrentlySentMessage) {
  const ParticipantId guest = {"c_01", "guest"};
  for (int round = 0; round < 300; ++round) {
    std::latch start(2);
    {
      const std::jthread joiner([&] {
        start.arrive_and_wait();
        EXPECT_THAT(Join(guest), IsOk());
      });
      start.arrive_and_wait();
      EXPECT_THAT(
          chat_.SendMessage(
              {.conversation_id = "c_01", .sender_id = UserId(0), .body = std::to_string(round)}),
          IsOk());
    }
    const auto previews = Previews(guest.user_id);
    ASSERT_EQ(previews.size(), 1u);
    ASSERT_EQ(previews[0]->body, std::to_string(round));
    ASSERT_THAT(chat_.RemoveParticipant(guest), IsOk());
  }
}

}  // namespace
}  // namespace dolmen::chat
