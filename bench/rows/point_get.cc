// point_get reads one message by its key.

#include <cstdint>
#include <string_view>

#include "bench/readers.h"

namespace dolmen::bench::point_get {
namespace {

class PointGet {
 public:
  static constexpr std::string_view kName = "point_get";
  static constexpr std::size_t kRows = 1;

  explicit PointGet(const ChatData& data) : data_(data) {}

  std::uint64_t questions() const { return data_.messages(); }
  ItemKey Question(std::uint64_t i) const {
    return {ChatData::PartitionKey(i % data_.conversations_with_messages()),
            ChatData::MessageSortKey(i)};
  }

  Answer Expected(std::uint64_t i) const {
    Answer answer;
    AppendStoredRows(data_.Message(i), &answer);
    return answer;
  }

 private:
  ChatData data_;
};

const AllItemReaders<PointGet> kContenders;
const Registered<TimedRead<PointGet, DolmenEncryptedItemReader>> kEncrypted;

}  // namespace
}  // namespace dolmen::bench::point_get
