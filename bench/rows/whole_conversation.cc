// whole_conversation reads all messages of a conversation in one answer, oldest first.

#include <cstdint>
#include <string_view>

#include "bench/conversation_reads.h"
#include "bench/readers.h"

namespace dolmen::bench::whole_conversation {
namespace {

class WholeConversation : public ConversationReads {
 public:
  static constexpr std::string_view kName = "whole_conversation";
  static constexpr std::size_t kRows = kMessagesPerConversation;
  static RangeShape Shape() { return {.sort_prefix = kMessagePrefix}; }

  using ConversationReads::ConversationReads;

  Answer Expected(std::uint64_t conversation) const { return Oldest(conversation, kRows); }
};

const AllRangeReaders<WholeConversation> kContenders;

}  // namespace
}  // namespace dolmen::bench::whole_conversation
