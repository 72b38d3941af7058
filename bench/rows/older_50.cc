// older_50 reads a random message and the 49 messages before it, newest first, as a chat does when
// a user scrolls back. With 10^6 messages no page is read twice, so the row cache does not help.
// In the row dolmen_uncached, the row cache is off.

#include <cstdint>
#include <string_view>

#include "bench/conversation_reads.h"
#include "bench/readers.h"

namespace dolmen::bench::older_50 {
namespace {

class Older50 : public ConversationReads {
 public:
  static constexpr std::string_view kName = "older_50";
  static constexpr std::size_t kRows = 50;
  static constexpr std::size_t kQuestions = 1 << 18;
  static constexpr bool kFirstReads = true;
  static RangeShape Shape() { return {.forward = false, .limit = kRows}; }

  using ConversationReads::ConversationReads;

  // Returns the number of messages that have at least 49 older messages in their conversation. Each
  // of these messages is the first row of one query's page.
  std::uint64_t questions() const {
    return data().conversations_with_messages() * (kMessagesPerConversation - kRows + 1);
  }
  ItemKey Question(std::uint64_t i) const {
    return {ChatData::PartitionKey(Conversation(i)), ChatData::MessageSortKey(Last(i))};
  }

  Answer Expected(std::uint64_t i) const {
    Answer answer;
    for (std::uint64_t n = 0; n < kRows; ++n) {
      AppendStoredRows(data().Message(Last(i) - n * data().conversations_with_messages()), &answer);
    }
    return answer;
  }

 private:
  std::uint64_t Conversation(std::uint64_t i) const {
    return i % data().conversations_with_messages();
  }
  std::uint64_t Last(std::uint64_t i) const {
    return data().OldestMessage(Conversation(i),
                                i / data().conversations_with_messages() + kRows - 1);
  }
};

const Registered<TimedRead<Older50, DolmenReader>> kDolmen;
const Registered<TimedRead<Older50, DolmenUncachedReader>> kUncached;
const Registered<TimedRead<Older50, RocksdbReader>> kRocksdb;
const Registered<TimedRead<Older50, RocksdbKeptReader>> kRocksdbKept;

}  // namespace
}  // namespace dolmen::bench::older_50
