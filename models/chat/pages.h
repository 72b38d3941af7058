// The pages of a Query, one behind the other:
//
//   Pages pages(table, {.partition = "CONVO#c_01"});
//   while (pages.Next()) Show(pages.page());
//   return pages.status();

#pragma once

#include <dolmen/table.h>

#include <utility>

namespace dolmen::chat {

class Pages {
 public:
  Pages(const Table& table, QueryInput input) : table_(table), input_(std::move(input)) {}

  // Reads the next page, at first the first one; false at the range's end and on an error.
  // Ends the life of every view of the page before.
  bool Next() {
    if (done_) return false;
    status_ = table_.Query(input_, &page_);
    if (!status_.ok()) {
      done_ = true;
      return false;
    }
    input_.exclusive_start_key = page_.last_evaluated_key();
    done_ = input_.exclusive_start_key.empty();
    return true;
  }

  const QueryOutput& page() const DOLMEN_LIFETIME_BOUND { return page_; }
  const Status& status() const DOLMEN_LIFETIME_BOUND { return status_; }

 private:
  Table table_;
  QueryInput input_;
  QueryOutput page_;
  Status status_;
  bool done_ = false;
};

}  // namespace dolmen::chat
