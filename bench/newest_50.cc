// newest_50: the 50 newest messages of a conversation, newest first; what a chat shows when it is
// opened.

#include <string>
#include <string_view>

#include "bench/contender.h"
#include "bench/data.h"
#include "bench/dolmen_query.h"
#include "bench/newest_rows.h"
#include "bench/rocksdb_store.h"

namespace dolmen::bench {
namespace {

class Newest50 {
 public:
  static constexpr std::string_view kName = "newest_50";

  explicit Newest50(const ChatData& data) : data_(data) {}

  template <typename Store>
  static Result<const Store*> StoreOf(Stores& stores) {
    return stores.ToRead<Store>();
  }

  std::uint64_t partitions() const { return data_.conversations_with_messages(); }
  std::string Partition(std::uint64_t i) const { return ChatData::PartitionKey(i); }

  Answer Expected(std::uint64_t conversation) const {
    Answer answer;
    for (std::uint64_t n = 0; n < kRows; ++n) {
      AppendStoredRows(data_.Message(data_.NewestMessage(conversation, n)), &answer);
    }
    return answer;
  }

 private:
  ChatData data_;
};

class DolmenQuery : public DolmenQueryBase {
 public:
  explicit DolmenQuery(const DolmenStore& store) : DolmenQueryBase(store) {
    input().sort = BeginsWith(kMessagePrefix);
  }
  Answer answer() const { return AnswerOfRows(); }
};

// One bounded iterator; each row's key and value are copied into a buffer that is kept.
class RocksdbQuery {
 public:
  using Store = RocksdbStore;

  explicit RocksdbQuery(const RocksdbStore& store) : db_(store.db()) {}

  Status Ask(const std::string& partition_key) {
    const engine::KeyRange range = engine::PrefixRange(RowKeyOf(partition_key, kMessagePrefix));
    return ReadLast(db_, range, kRows, &rows_);
  }

  std::size_t rows() const { return rows_.size(); }
  Answer answer() const { return rows_.rows(); }

 private:
  rocksdb::DB& db_;
  RowBuffer rows_;
};

const Registered<NewestRows<Newest50, DolmenQuery>> kDolmen;
const Registered<NewestRows<Newest50, RocksdbQuery>> kRocksdb;

}  // namespace
}  // namespace dolmen::bench
