// One page after the other of a Query, with input and page kept, as a careful user of Dolmen asks.

#pragma once

#include <string>
#include <utility>

#include "bench/dolmen_store.h"
#include "bench/newest_rows.h"
#include "bench/stored_rows.h"

namespace dolmen::bench {

// For NewestRows; a workload derives from it what says what is asked.
class DolmenQueryBase {
 public:
  using Store = DolmenStore;

  Status Ask(const std::string& partition) {
    input_.partition = partition;
    return table_.Query(input_, &page_);
  }

  std::size_t rows() const { return page_.size(); }

 protected:
  // The last kRows of a partition of the table, or of an index.
  explicit DolmenQueryBase(const DolmenStore& store, std::string index = {})
      : table_(store.table()) {
    input_.index = std::move(index);
    input_.forward = false;
    input_.limit = kRows;
  }

  QueryInput& input() { return input_; }

  // `key_of` says under which key an item of the page is stored.
  template <typename KeyOf>
  Answer AnswerWith(KeyOf key_of) const {
    Answer answer;
    for (const ItemView item : page_) {
      answer.push_back({std::string(key_of(item).bytes()), std::string(item.bytes())});
    }
    return answer;
  }
  Answer AnswerOfRows() const {
    return AnswerWith([](const ItemView& item) { return RowKeyOf(item); });
  }

 private:
  const Table& table_;
  QueryInput input_;
  QueryOutput page_;
};

}  // namespace dolmen::bench
