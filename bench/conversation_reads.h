// A base class of workloads whose queries each read messages of one conversation.

#pragma once

#include <cstdint>
#include <string>

#include "bench/contender.h"
#include "bench/data.h"

namespace dolmen::bench {

class ConversationReads {
 public:
  explicit ConversationReads(const ChatData& data) : data_(data) {}

  std::uint64_t questions() const { return data_.conversations_with_messages(); }
  std::string Question(std::uint64_t conversation) const {
    return ChatData::PartitionKey(conversation);
  }

 protected:
  const ChatData& data() const { return data_; }

  // Oldest returns the rows of the `count` oldest messages of a conversation, oldest first. Newest
  // returns the rows of the `count` newest messages, newest first.
  Answer Oldest(std::uint64_t conversation, std::uint64_t count) const {
    Answer answer;
    for (std::uint64_t n = 0; n < count; ++n) {
      AppendStoredRows(data_.Message(data_.OldestMessage(conversation, n)), &answer);
    }
    return answer;
  }
  Answer Newest(std::uint64_t conversation, std::uint64_t count) const {
    Answer answer;
    for (std::uint64_t n = 0; n < count; ++n) {
      AppendStoredRows(data_.Message(data_.NewestMessage(conversation, n)), &answer);
    }
    return answer;
  }

 private:
  ChatData data_;
};

}  // namespace dolmen::bench
