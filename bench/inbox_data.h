// Users and the conversations they take part in, after models/chat: conversations, participants
// with their entries in GSI1, and the messages that are sent to them.  The same in every run.

#pragma once

#include <cstdint>
#include <string>

#include "bench/data.h"
#include "dolmen/attribute_value.h"

namespace dolmen::bench {

inline constexpr std::uint64_t kConversationsPerUser = 100;
inline constexpr std::uint64_t kParticipantsPerConversation = 10;
inline constexpr const char* kIndexName = "GSI1";
inline constexpr const char* kMetadataSortKey = "#METADATA";

// A message on its way, and what becomes of its conversation and of its sender's participant.
struct SentMessage {
  Item message;
  Item conversation;
  Item participant;
};

// Stateless, as ChatData is.  Participants are counted through: participant p is user p mod U, in
// conversation p / kParticipantsPerConversation, so that a user's conversations are spread over
// all.
class InboxData {
 public:
  // A user for each of the messages' conversations: ten or more.
  explicit InboxData(const ChatData& chat) : users_(chat.conversations()) {}

  std::uint64_t users() const { return users_; }
  std::uint64_t participants() const { return users_ * kConversationsPerUser; }
  std::uint64_t conversations() const { return participants() / kParticipantsPerConversation; }

  // Every conversation with its participants behind it, in a table with GSI1.
  DataSet data_set() const;

  // "USER#u_000001": a user's partition of GSI1.  The entries sort as the conversations were made.
  static std::string IndexPartition(std::uint64_t user);

  Item Conversation(std::uint64_t conversation) const;

  // About 220 bytes in its stored form.
  Item Participant(std::uint64_t participant) const;

  // Which participant a user is in the n-th newest of their conversations, from 0.
  // REQUIRES: n < kConversationsPerUser
  std::uint64_t Newest(std::uint64_t user, std::uint64_t n) const {
    return (kConversationsPerUser - 1 - n) * users_ + user;
  }

  // The i-th message of any user to any of their conversations; later ones have later times.
  SentMessage Send(std::uint64_t i) const;

 private:
  std::uint64_t users_;
};

}  // namespace dolmen::bench
