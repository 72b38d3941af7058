// The data that the workloads run on, the same in every run: messages of many conversations, in the
// order in which they were sent.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/create_table.h"

namespace dolmen::bench {

// What a store is loaded with: the items of a table, in the order in which they are written.
struct DataSet {
  std::uint64_t size = 0;
  std::function<Item(std::uint64_t)> item = {};  // the i-th, from 0
  std::vector<GlobalSecondaryIndex> indexes = {};
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

// What items are made of: a ULID (48 bits of time, 80 of randomness), user 1's id "u_000001", and
// the text of a message.
std::string Ulid(std::int64_t milliseconds, Random random);
std::string UserId(std::uint64_t user);
std::string Body(Random random);

inline constexpr std::uint64_t kMessagesPerConversation = 1000;
inline constexpr const char* kSortKeyPrefix = "MSG#";

// Stateless: any message can be made at any time, so answers are checked against this and not
// against another store.  Conversations take turns: message i is conversation i mod C's.
class ChatData {
 public:
  // REQUIRES: `messages` is a positive multiple of kMessagesPerConversation
  explicit ChatData(std::uint64_t messages) : messages_(messages) {}

  DataSet data_set() const;

  std::uint64_t messages() const { return messages_; }
  std::uint64_t conversations() const { return messages_ / kMessagesPerConversation; }

  // "CONVO#c_0001", of a conversation counted from 0.
  static std::string PartitionKey(std::uint64_t conversation);
  // "MSG#" and the ULID of the i-th message; they sort as the messages were sent.
  static std::string SortKey(std::uint64_t i);

  // The i-th message, about 270 bytes in its stored form.
  Item Message(std::uint64_t i) const;

  // Which message is a conversation's n-th newest, from 0.  REQUIRES: n < kMessagesPerConversation
  std::uint64_t Newest(std::uint64_t conversation, std::uint64_t n) const {
    return (kMessagesPerConversation - 1 - n) * conversations() + conversation;
  }

 private:
  std::uint64_t messages_;
};

}  // namespace dolmen::bench
