// filter_1000 reads the 1,000 messages of a conversation with a filter that only the 100 edited
// messages pass. Compare this row with whole_conversation/rocksdb, which reads and returns all
// 1,000 messages.

#include <cstdint>
#include <string_view>

#include "bench/conversation_reads.h"
#include "bench/readers.h"

namespace dolmen::bench::filter_1000 {
namespace {

class Filter1000 : public ConversationReads {
 public:
  static constexpr std::string_view kName = "filter_1000";
  static constexpr std::size_t kRows = kEditedPerConversation;
  static RangeShape Shape() { return {.sort_prefix = kMessagePrefix}; }

  using ConversationReads::ConversationReads;

  Answer Expected(std::uint64_t conversation) const {
    Answer answer;
    for (std::uint64_t n = 0; n < kMessagesPerConversation; ++n) {
      const std::uint64_t i = data().OldestMessage(conversation, n);
      if (data().IsEdited(i)) AppendStoredRows(data().Message(i), &answer);
    }
    return answer;
  }
};

class FilteringReader : public DolmenReader {
 public:
  FilteringReader(const DolmenStore& store, const RangeShape& shape) : DolmenReader(store, shape) {
    input().filter = "edited = :true";
    input().values = {{":true", true}};
  }
};

const Registered<TimedRead<Filter1000, FilteringReader>> kDolmen;

}  // namespace
}  // namespace dolmen::bench::filter_1000
