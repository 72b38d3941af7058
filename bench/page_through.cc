// page_through: all messages of a conversation, oldest first, 50 by each question; each says where
// the last one ended, as a caller does who keeps nothing else.

#include <cstdint>
#include <string_view>

#include "bench/conversation_reads.h"
#include "bench/readers.h"

namespace dolmen::bench {
namespace {

class PageThrough : public ConversationReads {
 public:
  static constexpr std::string_view kName = "page_through";
  static constexpr std::size_t kRows = kMessagesPerConversation;
  static constexpr std::size_t kPages = 20;
  static RangeShape Shape() { return {.sort_prefix = kMessagePrefix, .limit = kRows / kPages}; }

  using ConversationReads::ConversationReads;

  Answer Expected(std::uint64_t conversation) const { return Oldest(conversation, kRows); }
};

const AllRangeReaders<PageThrough> kContenders;

}  // namespace
}  // namespace dolmen::bench
