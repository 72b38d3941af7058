// The data of the workloads: users, their conversations, and the messages of some conversations.
// The data are the same in every run. They are in one table with one index, as in models/chat.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/create_table.h"

namespace dolmen::bench {

// The items of a table, in the order in which a store is filled with them.
struct DataSet {
  std::uint64_t size = 0;
  std::function<Item(std::uint64_t)> item = {};  // returns the i-th item; i counts from 0
  std::vector<GlobalSecondaryIndex> indexes = {};
  std::uint64_t row_bytes_max = 400;  // key, item and overhead per row of a block
};

// A generator of pseudo-random numbers. Its numbers are the same with every standard library.
// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
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

// A message to send, and the new state of two items: the message's conversation and the sender's
// participant.
struct SentMessage {
  Item message;
  Item conversation;
  Item participant;
};

// A generator of the data. It is stateless and can generate any item at any time, so the answers
// of stores are compared with the generator and not with each other.
//
// The data have U users and 10 U conversations. The first U conversations have messages. The
// metadata, messages and participants of a conversation are one partition.
//   Messages are numbered in the order in which they were sent. Message i belongs to conversation
//   i mod U.
//   Participant p is user p mod U in conversation p / kParticipantsPerConversation. The numbers of
//   a user's conversations are therefore spread over the whole range.
class ChatData {
 public:
  // REQUIRES: `messages` is a multiple of kMessagesPerConversation, and is at least 10 *
  // kMessagesPerConversation. With fewer messages there would be fewer users, and a user would be
  // in a conversation twice.
  explicit ChatData(std::uint64_t messages) : messages_(messages) {}

  // Returns all items: each conversation followed by its participants, and at the end all messages.
  DataSet data_set() const;
  // Returns only the messages, for a table without an index.
  DataSet message_set() const;

  std::uint64_t messages() const { return messages_; }
  std::uint64_t users() const { return messages_ / kMessagesPerConversation; }
  std::uint64_t participants() const { return users() * kConversationsPerUser; }
  std::uint64_t conversations() const { return participants() / kParticipantsPerConversation; }
  std::uint64_t conversations_with_messages() const { return users(); }

  // Returns the partition key of a conversation: "CONVO#c_000001" for conversation 0. The keys
  // sort in the order of creation.
  static std::string PartitionKey(std::uint64_t conversation);
  // Returns the sort key of the i-th message: "MSG#" and a ULID. The keys sort in the order of
  // sending.
  static std::string MessageSortKey(std::uint64_t i);
  // Returns the partition key that a user has in GSI1: "USER#u_000001". The entries of a partition
  // sort in the order of their conversations.
  static std::string IndexPartition(std::uint64_t user);

  Item Conversation(std::uint64_t conversation) const;
  // Returns a participant, which has about 210 bytes in the stored form.
  Item Participant(std::uint64_t participant) const;
  // Returns the i-th message, which has about 280 bytes in the stored form. If `i` is messages()
  // or greater, the message is not part of the data.
  Item Message(std::uint64_t i) const;

  // Return the number of the n-th oldest or the n-th newest message of a conversation; n counts
  // from 0.
  // REQUIRES: conversation < conversations_with_messages(), n < kMessagesPerConversation
  std::uint64_t OldestMessage(std::uint64_t conversation, std::uint64_t n) const {
    return n * conversations_with_messages() + conversation;
  }
  std::uint64_t NewestMessage(std::uint64_t conversation, std::uint64_t n) const {
    return OldestMessage(conversation, kMessagesPerConversation - 1 - n);
  }

  // Returns the value of the attribute `edited` of the i-th message. In each conversation 100 of
  // 1,000 messages are edited, at irregular distances.
  bool IsEdited(std::uint64_t i) const;

  // Returns the number of the participant that represents a user in the user's n-th newest
  // conversation; n counts from 0.
  // REQUIRES: n < kConversationsPerUser
  std::uint64_t NewestParticipant(std::uint64_t user, std::uint64_t n) const {
    return (kConversationsPerUser - 1 - n) * users() + user;
  }

  // Returns the i-th message to send. A random user sends the message to a random conversation of
  // the user. The message is newer than all messages of the data, and newer than the messages for
  // smaller i.
  SentMessage Send(std::uint64_t i) const;

 private:
  std::uint64_t messages_;
};

}  // namespace dolmen::bench
