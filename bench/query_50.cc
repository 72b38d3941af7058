// query_50: 50 items by a Query on the table, and the same items by a Query on an index whose keys
// hold the same values.  The index's rows are longer by its keys, and nothing else.

#include <string>
#include <string_view>

#include "bench/contender.h"
#include "bench/data.h"
#include "bench/dolmen_query.h"
#include "bench/newest_rows.h"

namespace dolmen::bench {
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

class Query50 {
 public:
  static constexpr std::string_view kName = "query_50";

  explicit Query50(const ChatData& data) : data_(data) {}

  template <typename Store>
  static Result<const Store*> StoreOf(Stores& stores) {
    return stores.Own<Store>("query_50", MirroredMessages(stores.data()));
  }

  std::uint64_t partitions() const { return data_.conversations_with_messages(); }
  std::string Partition(std::uint64_t i) const { return ChatData::PartitionKey(i); }

  Answer Expected(std::uint64_t conversation) const {
    Answer answer;
    for (std::uint64_t n = 0; n < kRows; ++n) {
      std::string bytes = StoredForm(Mirrored(data_.Message(data_.NewestMessage(conversation, n))));
      answer.push_back({std::string(RowKeyOf(*ItemView::Parse(bytes)).bytes()), std::move(bytes)});
    }
    return answer;
  }

 private:
  ChatData data_;
};

class TableQuery : public DolmenQueryBase {
 public:
  static constexpr std::string_view kName = "dolmen_table";
  explicit TableQuery(const DolmenStore& store) : DolmenQueryBase(store) {}
  Answer answer() const { return AnswerOfRows(); }
};

class IndexQuery : public DolmenQueryBase {
 public:
  static constexpr std::string_view kName = "dolmen_index";
  explicit IndexQuery(const DolmenStore& store) : DolmenQueryBase(store, kIndexName) {}
  Answer answer() const { return AnswerOfRows(); }
};

const Registered<NewestRows<Query50, TableQuery>> kTable;
const Registered<NewestRows<Query50, IndexQuery>> kIndex;

}  // namespace
}  // namespace dolmen::bench
