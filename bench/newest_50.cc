// newest_50: the 50 newest messages of a conversation, newest first; what a chat shows when it is
// opened.  A different conversation each time, in the same order for every contender.

#include <rocksdb/iterator.h>
#include <rocksdb/options.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/contender.h"
#include "bench/data.h"
#include "bench/dolmen_contender.h"
#include "bench/rocksdb_contender.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::bench {
namespace {

constexpr std::uint32_t kRows = 50;
constexpr std::uint64_t kSeed = 50;
constexpr std::size_t kQuestions = 1 << 14;
constexpr std::uint64_t kConversationsChecked = 100;

// One page, through the public API, with input and page kept from query to query.
class DolmenQuery {
 public:
  using Store = DolmenStore;

  explicit DolmenQuery(const DolmenStore& store) : table_(store.table()) {
    input_.sort = BeginsWith(kSortKeyPrefix);
    input_.forward = false;
    input_.limit = kRows;
  }

  Status Ask(const std::string& partition_key) {
    input_.partition = partition_key;
    return table_.Query(input_, &page_);
  }

  std::size_t rows() const { return page_.size(); }

  Answer answer() const {
    Answer answer;
    for (const ItemView item : page_) {
      const engine::EncodedKey key = RowKeyOf(item["PK"].AsString().value_or(""),  //
                                              item["SK"].AsString().value_or(""));
      answer.push_back({std::string(key.bytes()), std::string(item.bytes())});
    }
    return answer;
  }

 private:
  const Table& table_;
  QueryInput input_;
  QueryOutput page_;
};

// One bounded iterator; each row's key and value are copied into a buffer that is kept.
class RocksdbQuery {
 public:
  using Store = RocksdbStore;

  explicit RocksdbQuery(const RocksdbStore& store) : db_(store.db()) {}

  Status Ask(const std::string& partition_key) {
    bytes_.clear();
    ends_.clear();
    const engine::KeyRange range = engine::PrefixRange(RowKeyOf(partition_key, kSortKeyPrefix));
    const rocksdb::Slice lower(range.lower.bytes().data(), range.lower.bytes().size());
    const rocksdb::Slice upper(range.upper.bytes().data(), range.upper.bytes().size());
    rocksdb::ReadOptions options;
    options.iterate_lower_bound = &lower;
    options.iterate_upper_bound = &upper;
    const std::unique_ptr<rocksdb::Iterator> row(db_.NewIterator(options));
    row->SeekToLast();
    while (row->Valid()) {
      Append(row->key());
      Append(row->value());
      if (rows() == kRows) break;
      row->Prev();
    }
    return engine::FromRocks(row->status(), "reading");
  }

  std::size_t rows() const { return ends_.size() / 2; }

  Answer answer() const {
    Answer answer;
    for (std::size_t i = 0; i < rows(); ++i) answer.push_back({Part(2 * i), Part(2 * i + 1)});
    return answer;
  }

 private:
  void Append(const rocksdb::Slice& part) {
    bytes_.append(part.data(), part.size());
    ends_.push_back(bytes_.size());
  }

  std::string Part(std::size_t i) const {
    const std::size_t start = i == 0 ? 0 : ends_[i - 1];
    return bytes_.substr(start, ends_[i] - start);
  }

  rocksdb::DB& db_;
  std::string bytes_;              // key, value, key, value, ...
  std::vector<std::size_t> ends_;  // where each of them ends
};

Answer ExpectedAnswer(const ChatData& data, std::uint64_t conversation) {
  Answer answer;
  for (std::uint64_t n = 0; n < kRows; ++n) {
    const std::uint64_t i = data.Newest(conversation, n);
    const engine::EncodedKey key =
        RowKeyOf(ChatData::PartitionKey(conversation), ChatData::SortKey(i));
    answer.push_back({std::string(key.bytes()), StoredForm(data.Message(i))});
  }
  return answer;
}

template <typename Query>
class Newest50 : public Contender {
 public:
  std::string name() const override { return "newest_50/" + std::string(Query::Store::kName); }

  Status Prepare(Stores& stores) override {
    const auto store = stores.Get<typename Query::Store>();
    if (!store.ok()) return store.status();
    store_ = *store;
    const ChatData& data = stores.data();
    if (Status checked = CheckAndWarm(data); !checked.ok()) return checked;
    Random random(kSeed);
    for (std::size_t i = 0; i < kQuestions; ++i) {
      questions_.push_back(ChatData::PartitionKey(random.Below(data.conversations())));
    }
    return {};
  }

  void Time(benchmark::State& state) override {
    Query query(*store_);
    std::size_t i = 0;
    std::size_t rows = 0;
    for ([[maybe_unused]] auto iteration : state) {
      const Status asked = query.Ask(questions_[i]);
      if (!asked.ok() || query.rows() != kRows) {
        state.SkipWithError(("a wrong answer: " + asked.ToString()).c_str());
        break;
      }
      benchmark::ClobberMemory();  // the answer is in memory
      rows += query.rows();
      if (++i == questions_.size()) i = 0;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(rows));
    state.counters["seconds_per_row"] = benchmark::Counter(
        static_cast<double>(rows), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  }

 private:
  Status CheckAndWarm(const ChatData& data) {
    Query query(*store_);
    const std::uint64_t step =
        std::max<std::uint64_t>(data.conversations() / kConversationsChecked, 1);
    for (std::uint64_t conversation = 0; conversation < data.conversations(); ++conversation) {
      const std::string partition_key = ChatData::PartitionKey(conversation);
      if (Status asked = query.Ask(partition_key); !asked.ok()) return asked;
      if (conversation % step != 0) continue;
      const auto difference = Difference(ExpectedAnswer(data, conversation), query.answer());
      if (difference)
        return Status::Corruption("wrong answer for " + partition_key + ": " + *difference);
    }
    return {};
  }

  const typename Query::Store* store_ = nullptr;
  std::vector<std::string> questions_;  // partition keys
};

const Registered<Newest50<DolmenQuery>> kDolmen;
const Registered<Newest50<RocksdbQuery>> kRocksdb;

}  // namespace
}  // namespace dolmen::bench
