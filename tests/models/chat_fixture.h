// A chat in memory with a manual clock and a log of its requests.

#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/chat/chat.h"
#include "models/chat/design.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::chat {

using test::IsOk;
using test::StatusIs;
using test::Value;
using testing::_;

inline Timestamp Time(std::string_view text) { return Value(ParseIso8601(text)); }

inline std::vector<std::string> Bodies(const std::vector<Message>& messages) {
  std::vector<std::string> bodies;
  for (const Message& message : messages) bodies.push_back(message.body);
  return bodies;
}

// Returns all messages of a conversation, newest first.
inline std::vector<Message> WholeHistory(const Chat& chat, const std::string& conversation_id) {
  std::vector<Message> messages;
  EntityPage<Message> page;
  do {
    page = Value(chat.ListMessages(
        {.conversation_id = conversation_id, .cursor = page.next_cursor, .limit = 50}));
    messages.insert(messages.end(), page.items.begin(), page.items.end());
  } while (!page.next_cursor.empty());
  return messages;
}

// Match the errors for a conversation or a participant that does not exist.
inline auto IsNoConversation(const std::string& conversation_id) {
  return StatusIs(StatusCode::kResourceNotFound,
                  "there is no conversation with conversationId \"" + conversation_id + "\"");
}
inline auto IsNoParticipant(const ParticipantId& id) {
  return StatusIs(StatusCode::kResourceNotFound, "there is no participant with conversationId \"" +
                                                     id.conversation_id + "\", userId \"" +
                                                     id.user_id + "\"");
}

class ChatTest : public testing::Test {
 protected:
  ChatTest()
      : clock_(std::make_shared<ManualClock>(Time("2026-04-15T12:00:00Z"))),
        database_(Value(Database::InMemory({.clock = clock_}))),
        chat_(Open()) {}

  Chat Open() { return Value(Chat::Open(database_, {.observer = log_.observer()})); }

  // Creates a group of u_01 and u_02 at the clock's time.
  std::string MakeGroup(const std::string& id) {
    return Value(chat_.CreateConversation(
                     {.id = id, .participants = {{"u_01", Role::kAdmin}, {"u_02"}}}))
        .id;
  }

  Message Send(const std::string& conversation_id, const std::string& sender_id,
               const std::string& body) {
    return Value(chat_.SendMessage(
        {.conversation_id = conversation_id, .sender_id = sender_id, .body = body}));
  }

  // Counts unread messages with both methods. Fails the test if the two numbers differ.
  std::uint64_t Unread(const ParticipantId& id, std::uint32_t limit = 1000) {
    const Participant reader = Value(chat_.GetParticipant(id));
    const std::uint64_t by_range = Value(chat_.CountUnread(reader, limit));
    EXPECT_EQ(by_range, Value(chat_.CountUnread(reader, limit, UnreadMethod::kFilter)));
    return by_range;
  }

  Status Join(const ParticipantId& id, Role role = Role::kMember) {
    return chat_.AddParticipants(id.conversation_id, {{{id.user_id, role}}});
  }

  std::shared_ptr<ManualClock> clock_;
  Database database_;
  RequestLog log_;
  Chat chat_;
};

}  // namespace dolmen::chat
