// The data that the workloads run on, the same in every run: users, the conversations they take
// part in, and the messages of some of these, in one table with one index, after models/chat.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/create_table.h"

namespace dolmen::bench {

// What a store is filled with: the items of a table, in the order in which they are written.
struct DataSet {
  std::uint64_t size = 0;
  std::function<Item(std::uint64_t)> item = {};  // the i-th, from 0
  std::vector<GlobalSecondaryIndex> indexes = {};
  std::uint64_t row_bytes_max = 400;  // key, item, and what a block adds
};

// Pseudo-random numbers that are the same with every library: Steele, Lea, Flood, "Fast splittable
// pseudorandom number generators", 2014.
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
inline constexpr const char* kMessagePrefix = "MSG#";  // of their sort keys
inline constexpr const char* kMetadataSortKey = "#METADATA";

// A message on its way, and what becomes of its conversation and of its sender's participant.
struct SentMessage {
  Item message;
  Item conversation;
  Item participant;
};

// Stateless: any item can be made at any time, so answers are checked against this and not against
// another store.
//
// There are U users and ten times as many conversations, of which the first U have messages.  All
// of a conversation is one partition: its metadata, its messages and its participants.
//   Messages are counted through in the order in which they were sent.  The conversations take
//   turns: message i is conversation i mod U's.
//   Participants are counted through: participant p is user p mod U, in conversation
//   p / kParticipantsPerConversation, so that a user's conversations are spread over all.
class ChatData {
 public:
  // REQUIRES: `messages` is a positive multiple of kMessagesPerConversation, and at least ten times
  // as many, as a user is in a conversation once
  explicit ChatData(std::uint64_t messages) : messages_(messages) {}

  // All of it: each conversation with its participants behind it, then the messages.
  DataSet data_set() const;
  // The messages only, without an index.
  DataSet message_set() const;

  std::uint64_t messages() const { return messages_; }
  std::uint64_t users() const { return messages_ / kMessagesPerConversation; }
  std::uint64_t participants() const { return users() * kConversationsPerUser; }
  std::uint64_t conversations() const { return participants() / kParticipantsPerConversation; }
  std::uint64_t conversations_with_messages() const { return users(); }

  // "CONVO#c_000001", of a conversation counted from 0; they sort as the conversations were made.
  static std::string PartitionKey(std::uint64_t conversation);
  // "MSG#" and the ULID of the i-th message; they sort as the messages were sent.
  static std::string MessageSortKey(std::uint64_t i);
  // "USER#u_000001": a user's partition of GSI1.  The entries sort as their conversations.
  static std::string IndexPartition(std::uint64_t user);

  Item Conversation(std::uint64_t conversation) const;
  // About 210 bytes in its stored form.
  Item Participant(std::uint64_t participant) const;
  // About 280 bytes in its stored form.  From messages() on they are new ones.
  Item Message(std::uint64_t i) const;

  // Which message is a conversation's n-th oldest or newest, from 0.
  // REQUIRES: conversation < conversations_with_messages(), n < kMessagesPerConversation
  std::uint64_t OldestMessage(std::uint64_t conversation, std::uint64_t n) const {
    return n * conversations_with_messages() + conversation;
  }
  std::uint64_t NewestMessage(std::uint64_t conversation, std::uint64_t n) const {
    return OldestMessage(conversation, kMessagesPerConversation - 1 - n);
  }

  // Whether the i-th message's attribute `edited` is true: of each conversation's one in ten, at
  // no regular places.
  bool IsEdited(std::uint64_t i) const;

  // Which participant a user is in the n-th newest of their conversations, from 0.
  // REQUIRES: n < kConversationsPerUser
  std::uint64_t NewestParticipant(std::uint64_t user, std::uint64_t n) const {
    return (kConversationsPerUser - 1 - n) * users() + user;
  }

  // The i-th message that any user sends to any of their conversations, after all of the messages
  // above; later ones have later times.
  SentMessage Send(std::uint64_t i) const;

 private:
  std::uint64_t messages_;
};

}  // namespace dolmen::bench
