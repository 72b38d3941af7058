// query_50 reads 50 items with a Query. In the report's row dolmen_table, the Query reads the
// table. In the row dolmen_index, the Query reads an index whose keys have the same values as the
// table's keys. So both Queries read the same items. Only the encoded keys of the index are longer.

#include <cstdint>
#include <string_view>

#include "bench/conversation_reads.h"
#include "bench/readers.h"

namespace dolmen::bench::query_50 {
namespace {

Item Mirrored(Item message) {
  message.emplace("GSI1PK", message.find("PK")->second);
  message.emplace("GSI1SK", message.find("SK")->second);
  return message;
}

DataSet MirroredMessages(const ChatData& data) {
  return {.size = data.messages(),
          .item = [data](std::uint64_t i) { return Mirrored(data.Message(i)); },
          .indexes = {GlobalSecondaryIndex::Overloaded(kIndexName)}};
}

template <bool kOfIndex>
class Query50 : public ConversationReads {
 public:
  static constexpr std::string_view kName = "query_50";
  static constexpr std::size_t kRows = 50;
  static RangeShape Shape() { return {.index = kOfIndex, .forward = false, .limit = kRows}; }

  template <typename Store>
  static Result<const Store*> StoreOf(Stores& stores) {
    return stores.Own<Store>("query_50", MirroredMessages(stores.data()));
  }

  using ConversationReads::ConversationReads;

  Answer Expected(std::uint64_t conversation) const {
    Answer answer;
    for (std::uint64_t n = 0; n < kRows; ++n) {
      const Item message = data().Message(data().NewestMessage(conversation, n));
      std::string bytes = StoredForm(Mirrored(message));
      const ItemView item = *ItemView::Parse(bytes);
      const engine::EncodedKey key = kOfIndex ? EntryKeyOf(item) : RowKeyOf(item);
      answer.push_back({std::string(key.bytes()), std::move(bytes)});
    }
    return answer;
  }
};

template <bool kOfIndex>
class Reader : public DolmenReader {
 public:
  static constexpr std::string_view kName = kOfIndex ? "dolmen_index" : "dolmen_table";
  using DolmenReader::DolmenReader;
};

const Registered<TimedRead<Query50<false>, Reader<false>>> kTable;
const Registered<TimedRead<Query50<true>, Reader<true>>> kIndex;

}  // namespace
}  // namespace dolmen::bench::query_50
