// Workloads that read. All contenders get the same queries in the same order. Every answer of a
// workload has the same number of rows, so the timed loop checks only this number.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/contender.h"
#include "bench/data.h"

namespace dolmen::bench {

// A contender that reads. `Workload` defines the queries and their answers. In the code of the
// benches, a query is called a question. `Workload` has these members:
//   static constexpr std::string_view kName;
//   static constexpr std::size_t kRows;  // number of rows in an answer, in all its pages
//   static constexpr std::size_t kPages = 1;
//   static RangeShape Shape();  // only for workloads that read ranges
//   explicit Workload(const ChatData& data);
//   std::uint64_t questions() const;  // a multiple of users(); query i reads partition
//                                     // i % users()
//   auto Question(std::uint64_t i) const;
//   Answer Expected(std::uint64_t i) const;
//   static constexpr std::size_t kQuestions = 1 << 14;  // number of queries that run in turn
//   static constexpr bool kFirstReads = false;  // true: see below
//   // only for workloads with a store of their own:
//   template <typename Store> static Result<const Store*> StoreOf(Stores& stores);
// With kFirstReads all queries that run in turn are different, and other queries read the data
// before the timing. A page then begins where no earlier page began. The pages of the queries
// 0, kRows, 2 * kRows and so on of each partition are all its rows.
// `Reader` sends the queries to a store. It has these members:
//   using Store = ...;
//   static constexpr std::string_view kName;  // optional; default: the name of the store
//   // Only for Dolmen. The contender has a copy of the store (Stores::CopyOf), because the row
//   // cache of a shared store would depend on the queries of other workloads.
//   static constexpr std::string_view kCopy;  // ends the name of the copy
//   static std::optional<std::size_t> RowCacheBytes(const ChatData& data);  // see CopySettings
//   explicit Reader(const Store& store);      // a second parameter takes Workload::Shape()
//   Status Ask(const auto& question);
//   Status AskNext();  // reads the next page; only if kPages > 1
//   std::size_t rows() const;
//   Answer answer() const;
template <typename Workload, typename Reader>
class TimedRead : public Contender {
 public:
  std::string name() const override {
    std::string_view reader = Reader::Store::kName;
    if constexpr (requires { Reader::kName; }) reader = Reader::kName;
    return std::string(Workload::kName) + "/" + std::string(reader);
  }

  bool can_be_cold() const override { return true; }

  bool uses_copy() const override {
    return requires { Reader::kCopy; };
  }

  Status Prepare(Stores& stores) override {
    stores_ = &stores;
    const auto store = GetStore();
    if (!store.ok()) return store.status();
    const Workload workload(stores.data());
    Reader reader = MakeReader(**store);
    if (Status checked = Check(workload, &reader); !checked.ok()) return checked;
    if (stores.cold()) {
      MakeColdQuestions(workload);
      return {};
    }
    if constexpr (FirstReads()) {
      MakeFirstReads(workload);
      return WarmFirstReads(workload, &reader);
    }
    MakeQuestions(workload);
    return Warm(workload, &reader);
  }

  void Time(benchmark::State& state) override {
    const auto store = GetStore();
    if (!store.ok()) return state.SkipWithError(store.status().ToString().c_str());
    Reader reader = MakeReader(**store);
    std::size_t rows = 0;
    for ([[maybe_unused]] auto iteration : state) {
      const std::size_t before = rows;
      const Status asked = AskAllPages(questions_[next_], &reader, &rows);
      if (!asked.ok() || rows - before != Workload::kRows) {
        state.SkipWithError(
            ("the answer has a wrong number of rows, or the read failed: " + asked.ToString())
                .c_str());
        break;
      }
      if (++next_ == questions_.size()) next_ = 0;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(rows));
    state.counters["seconds_per_row"] = benchmark::Counter(
        static_cast<double>(rows), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  }

 private:
  using Store = typename Reader::Store;
  using Question = decltype(std::declval<Workload>().Question(0));

  Result<const Store*> GetStore() {
    if constexpr (requires { Workload::template StoreOf<Store>(*stores_); }) {
      return Workload::template StoreOf<Store>(*stores_);
    } else if constexpr (requires { Reader::kCopy; }) {
      const std::string copy = std::string(Workload::kName) + "_" + std::string(Reader::kCopy);
      return stores_->CopyOf<Store>(copy,
                                    {.row_cache_bytes = Reader::RowCacheBytes(stores_->data())});
    } else {
      return stores_->ToRead<Store>();
    }
  }

  static Reader MakeReader(const Store& store) {
    if constexpr (requires { Workload::Shape(); }) {
      return Reader(store, Workload::Shape());
    } else {
      return Reader(store);
    }
  }

  static constexpr std::size_t Pages() {
    if constexpr (requires { Workload::kPages; }) return Workload::kPages;
    return 1;
  }

  static constexpr std::size_t Questions() {
    if constexpr (requires { Workload::kQuestions; }) return Workload::kQuestions;
    return 1 << 14;
  }

  static constexpr bool FirstReads() {
    if constexpr (requires { Workload::kFirstReads; }) return Workload::kFirstReads;
    return false;
  }

  static Status AskAllPages(const Question& question, Reader* reader, std::size_t* rows) {
    Status asked = reader->Ask(question);
    benchmark::ClobberMemory();  // the compiler must write the answer to memory
    *rows += reader->rows();
    if constexpr (Pages() > 1) {
      for (std::size_t page = 1; page < Pages() && asked.ok(); ++page) {
        asked = reader->AskNext();
        benchmark::ClobberMemory();
        *rows += reader->rows();
      }
    }
    return asked;
  }

  static Result<Answer> AnswerOf(const Question& question, Reader* reader) {
    if (Status asked = reader->Ask(question); !asked.ok()) return asked;
    Answer answer = reader->answer();
    if constexpr (Pages() > 1) {
      for (std::size_t page = 1; page < Pages(); ++page) {
        if (Status asked = reader->AskNext(); !asked.ok()) return asked;
        for (StoredRow& row : reader->answer()) answer.push_back(std::move(row));
      }
    }
    return answer;
  }

  static Status Check(const Workload& workload, Reader* reader) {
    constexpr std::uint64_t kQuestionsChecked = 100;
    // The distance between two checked queries is odd. An even distance could be a multiple of the
    // number of partitions, and all checked queries would then read the same partition.
    const std::uint64_t step = (workload.questions() / kQuestionsChecked) | 1;
    for (std::uint64_t i = 0; i < workload.questions(); i += step) {
      const Result<Answer> answer = AnswerOf(workload.Question(i), reader);
      if (!answer.ok()) return answer.status();
      const auto difference = Difference(workload.Expected(i), *answer);
      if (!difference) continue;
      return Status::Corruption("wrong answer to query " + std::to_string(i) + ": " + *difference);
    }
    return {};
  }

  // Runs each query twice in succession, so that the caches hold all answers before the timing.
  // Only the second read of a range fills Dolmen's row cache.
  Status Warm(const Workload& workload, Reader* reader) const {
    const bool all = workload.questions() < questions_.size();
    const std::uint64_t count = all ? workload.questions() : questions_.size();
    std::size_t rows = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const Question question = all ? workload.Question(i) : questions_[i];
      for (int read = 0; read < 2; ++read) {
        if (Status asked = AskAllPages(question, reader, &rows); !asked.ok()) return asked;
      }
    }
    return {};
  }

  // Reads all rows, so that the caches of RocksDB hold them.
  Status WarmFirstReads(const Workload& workload, Reader* reader) const {
    const std::uint64_t partitions = stores_->data().users();
    std::size_t rows = 0;
    for (std::uint64_t i = 0; i < workload.questions(); ++i) {
      if (i / partitions % Workload::kRows != 0) continue;
      Status asked = AskAllPages(workload.Question(i), reader, &rows);
      if (!asked.ok()) return asked;
    }
    return {};
  }

  void MakeQuestions(const Workload& workload) {
    Random random(kSeed);
    while (questions_.size() < Questions()) {
      questions_.push_back(workload.Question(random.Below(workload.questions())));
    }
  }

  // Creates different queries in a scattered order.
  void MakeFirstReads(const Workload& workload) {
    const std::uint64_t all = workload.questions();
    constexpr double kGoldenRatio = 0.6180339887498949;
    auto step = static_cast<std::uint64_t>(kGoldenRatio * static_cast<double>(all));
    while (std::gcd(step, all) != 1) ++step;
    const std::uint64_t count = std::min<std::uint64_t>(Questions(), all);
    for (std::uint64_t n = 0; n < count; ++n) {
      questions_.push_back(workload.Question((n + 1) * step % all));
    }
  }

  // Creates one query per partition, so that no query reads a block that an earlier query has read.
  void MakeColdQuestions(const Workload& workload) {
    Random random(kSeed);
    const std::uint64_t partitions = stores_->data().users();
    std::vector<std::uint64_t> order(partitions);
    std::iota(order.begin(), order.end(), 0);
    for (std::uint64_t i = partitions; i > 1; --i) std::swap(order[i - 1], order[random.Below(i)]);
    for (const std::uint64_t partition : order) {
      const std::uint64_t n = random.Below(workload.questions() / partitions);
      questions_.push_back(workload.Question(n * partitions + partition));
    }
  }

  static constexpr std::uint64_t kSeed = 50;

  Stores* stores_ = nullptr;
  std::vector<Question> questions_;
  std::size_t next_ = 0;
};

}  // namespace dolmen::bench
