// zipf_50 reads the 50 newest messages of a conversation, newest first, as newest_50 does. Some
// conversations are read far more often than others. As in a Zipf distribution, the probability of
// the n-th one is nearly proportional to 1/n. In the row dolmen, the row cache holds about a tenth
// of the pages. In the row dolmen_uncached, the row cache is off. With 10^4 messages, the row cache
// is too small for a page.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "bench/conversation_reads.h"
#include "bench/readers.h"

namespace dolmen::bench::zipf_50 {
namespace {

class Zipf50 : public ConversationReads {
 public:
  static constexpr std::string_view kName = "zipf_50";
  static constexpr std::size_t kRows = 50;
  static RangeShape Shape() {
    return {.sort_prefix = kMessagePrefix, .forward = false, .limit = kRows};
  }

  using ConversationReads::ConversationReads;

  std::uint64_t questions() const { return kQuestionsPerConversation * Conversations(); }
  std::string Question(std::uint64_t i) const { return ChatData::PartitionKey(Chosen(i)); }

  Answer Expected(std::uint64_t i) const { return Newest(Chosen(i), kRows); }

 private:
  static constexpr std::uint64_t kQuestionsPerConversation = 1000;

  std::uint64_t Conversations() const { return data().conversations_with_messages(); }

  // Returns the conversation of query i. For random i, conversation n - 1 has the probability
  // log(1 + 1/n) / log(1 + the number of conversations).
  std::uint64_t Chosen(std::uint64_t i) const {
    const double position = (static_cast<double>(i) + 0.5) / static_cast<double>(questions());
    const double n = std::pow(static_cast<double>(Conversations() + 1), position);
    return static_cast<std::uint64_t>(n) - 1;
  }
};

class SmallCacheReader : public DolmenReader {
 public:
  static std::optional<std::size_t> RowCacheBytes(const ChatData& data) {
    constexpr std::uint64_t kBytesPerRow = 340;
    return data.conversations_with_messages() * Zipf50::kRows * kBytesPerRow / 10;
  }

  using DolmenReader::DolmenReader;
};

const Registered<TimedRead<Zipf50, SmallCacheReader>> kDolmen;
const Registered<TimedRead<Zipf50, DolmenUncachedReader>> kUncached;

}  // namespace
}  // namespace dolmen::bench::zipf_50
