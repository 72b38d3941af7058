// The data of the workloads, equal in every run: users, their conversations, and the messages of
// some conversations.  They are in one table with one index, as in models/chat.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/create_table.h"

namespace dolmen::bench {

// The items of a table, in the order in which they are written to a store.
struct DataSet {
  std::uint64_t size = 0;
  std::function<Item(std::uint64_t)> item = {};  // returns the i-th item, from 0
  std::vector<GlobalSecondaryIndex> indexes = {};
  std::uint64_t row_bytes_max = 400;  // bytes of key, item and the overhead of a block
};

// A generator of pseudo-random numbers that does not depend on the standard library: Steele, Lea,
// Flood, "Fast splittable pseudorandom number generators", 2014.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next();
  std::uint64_t Below(std::uint64_t bound) { return Next() % bound; }

 private:
  std::uint64_t state_;
};

inline constexpr std::uint64_t kMessagesPerConversation = 1000;
inline constexpr std::uint64_t kEditedPerConversation = 100;
inline constexpr std::uint64_t kConversationsPerUser = 100;
inline constexpr std::uint64_t kParticipantsPerConversation = 10;
inline constexpr const char* kIndexName = "GSI1";
inline constexpr const char* kMessagePrefix = "MSG#";  // begins the sort keys of messages
inline constexpr const char* kMetadataSortKey = "#METADATA";

// A message to send, and its conversation and its sender's participant after the send.
struct SentMessage {
  Item message;
  Item conversation;
  Item participant;
};

// A generator of the data.  It is stateless and can generate any item at any time, so answers are
// checked against the generator and not against another store.
//
// The data have U users and 10 U conversations.  The first U conversations have messages.  The
// metadata, messages and participants of a conversation are one partition.
//   Messages are numbered in the order in which they were sent.  Message i belongs to conversation
//   i mod U.
//   Participant p is user p mod U in conversation p / kParticipantsPerConversation.  So the
//   conversations of a user are spread over all conversations.
class ChatData {
 public:
  // REQUIRES: `messages` is a multiple of kMessagesPerConversation and at least ten times as large.
  // With fewer users, a user would be in a conversation twice.
  explicit ChatData(std::uint64_t messages) : messages_(messages) {}

  // Returns all items: each conversation followed by its participants, then all messages.
  DataSet data_set() const;
  // Returns the messages only, without an index.
  DataSet message_set() const;

  std::uint64_t messages() const { return messages_; }
  std::uint64_t users() const { return messages_ / kMessagesPerConversation; }
  std::uint64_t participants() const { return users() * kConversationsPerUser; }
  std::uint64_t conversations() const { return participants() / kParticipantsPerConversation; }
  std::uint64_t conversations_with_messages() const { return users(); }

  // Returns "CONVO#c_000001" for conversation 0.  The keys sort in the order of creation.
  static std::string PartitionKey(std::uint64_t conversation);
  // Returns "MSG#" and the ULID of the i-th message.  The keys sort in the order of sending.
  static std::string MessageSortKey(std::uint64_t i);
  // Returns the key of a user's partition of GSI1, "USER#u_000001".  Its entries sort in the order
  // of their conversations.
  static std::string IndexPartition(std::uint64_t user);

  Item Conversation(std::uint64_t conversation) const;
  // Returns a participant, about 210 bytes in the stored form.
  Item Participant(std::uint64_t participant) const;
  // Returns a message, about 280 bytes in the stored form.  Messages from messages() on are new.
  Item Message(std::uint64_t i) const;

  // Returns the number of a conversation's n-th oldest or newest message; n counts from 0.
  // REQUIRES: conversation < conversations_with_messages(), n < kMessagesPerConversation
  std::uint64_t OldestMessage(std::uint64_t conversation, std::uint64_t n) const {
    return n * conversations_with_messages() + conversation;
  }
  std::uint64_t NewestMessage(std::uint64_t conversation, std::uint64_t n) const {
    return OldestMessage(conversation, kMessagesPerConversation - 1 - n);
  }

  // Returns the i-th message's attribute `edited`.  It is true for one message in ten of each
  // conversation, at irregular distances.
  bool IsEdited(std::uint64_t i) const;

  // Returns the number of the participant that a user is in the n-th newest of their conversations;
  // n counts from 0.
  // REQUIRES: n < kConversationsPerUser
  std::uint64_t NewestParticipant(std::uint64_t user, std::uint64_t n) const {
    return (kConversationsPerUser - 1 - n) * users() + user;
  }

  // Returns the i-th message that a random user sends to a random conversation of theirs.  All
  // loaded messages are older, and times increase with i.
  SentMessage Send(std::uint64_t i) const;

 private:
  std::uint64_t messages_;
};

}  // namespace dolmen::bench
