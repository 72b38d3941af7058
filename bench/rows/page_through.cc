// page_through reads all messages of a conversation, oldest first, in pages of 50. Each request
// begins after the last key of the previous page, as a stateless client does.

#include <cstdint>
#include <string_view>

#include "bench/conversation_reads.h"
#include "bench/readers.h"

namespace dolmen::bench::page_through {
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
}  // namespace dolmen::bench::page_through
