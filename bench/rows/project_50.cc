// project_50 reads two attributes, the sender and the text, of the 50 oldest messages of a
// conversation, oldest first. Compare this row with forward_50/rocksdb, which returns whole
// messages.

#include <cstdint>
#include <string_view>

#include "bench/conversation_reads.h"
#include "bench/readers.h"

namespace dolmen::bench::project_50 {
namespace {

class Project50 : public ConversationReads {
 public:
  static constexpr std::string_view kName = "project_50";
  static constexpr std::size_t kRows = 50;
  static RangeShape Shape() { return {.sort_prefix = kMessagePrefix, .limit = kRows}; }

  using ConversationReads::ConversationReads;

  Answer Expected(std::uint64_t conversation) const {
    Answer answer;
    for (std::uint64_t n = 0; n < kRows; ++n) {
      const Item message = data().Message(data().OldestMessage(conversation, n));
      answer.push_back({"", StoredForm({*message.find("body"), *message.find("senderId")})});
    }
    return answer;
  }
};

// A reader with a projection. Its answers contain no keys.
class ProjectingReader : public DolmenReader {
 public:
  ProjectingReader(const DolmenStore& store, const RangeShape& shape) : DolmenReader(store, shape) {
    input().projection = "senderId, body";
  }

  Answer answer() const {
    Answer answer;
    for (const ItemView item : page()) answer.push_back({"", std::string(item.bytes())});
    return answer;
  }
};

const Registered<TimedRead<Project50, ProjectingReader>> kDolmen;

}  // namespace
}  // namespace dolmen::bench::project_50
