#include <limits>
#include <string>
#include <utility>

#include "engine/table/query_plan.h"
#include "engine/table/read.h"
#include "engine/table/start_key.h"

namespace dolmen::engine {
namespace {

// A page ends with the item that reaches it.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html
constexpr std::uint64_t kPageBytesMax = 1 << 20;

class PageReader {
 public:
  PageReader(const QueryPlan& plan, const QueryInput& input, QueryOutput* page)
      : plan_(plan),
        page_(page),
        forward_(input.forward),
        limit_(input.limit.value_or(std::numeric_limits<std::uint32_t>::max())),
        count_only_(input.select == Select::kCount) {}

  Status Read(Cursor& cursor) {
    for (forward_ ? cursor.SeekToFirst() : cursor.SeekToLast(); cursor.Valid();
         forward_ ? cursor.Next() : cursor.Previous()) {
      const Result<ItemView> item = ItemView::Parse(cursor.value());
      if (!item.ok()) return item.status();
      if (Status taken = Take(*item); !taken.ok()) return taken;
      if (scanned_ == limit_ || bytes_ >= kPageBytesMax) return FinishAt(*item);
    }
    if (Status read = cursor.status(); !read.ok()) return read;
    page_->Finish(count_, scanned_, {});
    return {};
  }

 private:
  Status Take(const ItemView& item) {
    ++scanned_;
    bytes_ += item.size_bytes();
    if (plan_.filter) {
      const Result<bool> holds = plan_.filter->Evaluate(item);
      if (!holds.ok()) return holds.status();
      if (!*holds) return {};
    }
    ++count_;
    if (count_only_) return {};
    if (plan_.projection) {
      Status applied = plan_.projection->Apply(item, page_->Append());
      if (!applied.ok()) return applied;
    } else {
      page_->Append()->append(item.bytes());
    }
    page_->Commit();
    return {};
  }

  Status FinishAt(const ItemView& last) {
    Result<Item> key = EvaluatedKey(plan_, last);
    if (!key.ok()) return key.status();
    page_->Finish(count_, scanned_, *std::move(key));
    return {};
  }

  const QueryPlan& plan_;
  QueryOutput* page_;
  const bool forward_;
  const std::uint32_t limit_;
  const bool count_only_;
  std::uint32_t count_ = 0;
  std::uint32_t scanned_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace

Status Query(const Store& store, const TableSchema& table, const QueryInput& input,
             QueryOutput* page) {
  page->Clear();
  QueryPlan plan;
  Status status = PlanQuery(table, input, &plan);
  if (status.ok()) {
    Cursor cursor(store, plan.range);
    status = PageReader(plan, input, page).Read(cursor);
  }
  if (!status.ok()) page->Clear();
  return status;
}

}  // namespace dolmen::engine
