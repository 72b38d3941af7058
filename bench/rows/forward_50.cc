// forward_50 reads the 50 oldest messages of a conversation, oldest first.

#include <cstdint>
#include <string_view>

#include "bench/conversation_reads.h"
#include "bench/readers.h"

namespace dolmen::bench::forward_50 {
namespace {

class Forward50 : public ConversationReads {
 public:
  static constexpr std::string_view kName = "forward_50";
  static constexpr std::size_t kRows = 50;
  static RangeShape Shape() { return {.sort_prefix = kMessagePrefix, .limit = kRows}; }

  using ConversationReads::ConversationReads;

  Answer Expected(std::uint64_t conversation) const { return Oldest(conversation, kRows); }
};

const AllAndKeptRangeReaders<Forward50> kContenders;

}  // namespace
}  // namespace dolmen::bench::forward_50
