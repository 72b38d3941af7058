// newest_50 reads the 50 newest messages of a conversation, newest first, as a chat does when a
// user opens it. In the report's row dolmen_uncached, the row cache is off.

#include <cstdint>
#include <string_view>

#include "bench/conversation_reads.h"
#include "bench/readers.h"

namespace dolmen::bench::newest_50 {
namespace {

class Newest50 : public ConversationReads {
 public:
  static constexpr std::string_view kName = "newest_50";
  static constexpr std::size_t kRows = 50;
  static RangeShape Shape() {
    return {.sort_prefix = kMessagePrefix, .forward = false, .limit = kRows};
  }

  using ConversationReads::ConversationReads;

  Answer Expected(std::uint64_t conversation) const { return Newest(conversation, kRows); }
};

const AllAndKeptRangeReaders<Newest50> kContenders;
const Registered<TimedRead<Newest50, DolmenEncryptedReader>> kEncrypted;
const Registered<TimedRead<Newest50, DolmenUncachedReader>> kUncached;

}  // namespace
}  // namespace dolmen::bench::newest_50
