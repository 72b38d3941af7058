#include "dolmen/table.h"

#include <utility>

#include "dolmen/item_range.h"
#include "engine/backend.h"
#include "engine/base/status_macros.h"

namespace dolmen {

ItemRange::Iterator ItemRange::begin() {
  if (!begun_) ReadPages();
  begun_ = true;
  return Iterator(this);
}

void ItemRange::Next() {
  if (++position_ < page_.size()) return;
  ended_ = page_.last_evaluated_key().empty();
  if (!ended_) ReadPages();
}

void ItemRange::ReadPages() {
  const Table table(table_);
  do {
    position_ = 0;
    if (auto* const query = std::get_if<QueryInput>(&input_)) {
      status_ = table.Query(*query, &page_);
      query->exclusive_start_key = page_.last_evaluated_key();
    } else {
      auto* const scan = std::get_if<ScanInput>(&input_);
      status_ = table.Scan(*scan, &page_);
      scan->exclusive_start_key = page_.last_evaluated_key();
    }
    ended_ = !status_.ok() || (page_.empty() && page_.last_evaluated_key().empty());
  } while (page_.empty() && !ended_);
}

Result<GetItemOutput> Table::GetItem(const GetItemInput& input) const {
  GetItemOutput output;
  DOLMEN_RETURN_IF_ERROR(GetItem(input, &output));
  return output;
}

Status Table::GetItem(const GetItemInput& input, GetItemOutput* output) const {
  return internal::Reach(backend()).GetItem(*this, input, output);
}

Result<WriteItemOutput> Table::PutItem(const PutItemInput& input) const {
  return internal::Reach(backend()).PutItem(*this, input);
}

Result<WriteItemOutput> Table::UpdateItem(const UpdateItemInput& input) const {
  return internal::Reach(backend()).UpdateItem(*this, input);
}

Result<WriteItemOutput> Table::DeleteItem(const DeleteItemInput& input) const {
  return internal::Reach(backend()).DeleteItem(*this, input);
}

Result<QueryOutput> Table::Query(const QueryInput& input) const {
  QueryOutput page;
  DOLMEN_RETURN_IF_ERROR(Query(input, &page));
  return page;
}

Status Table::Query(const QueryInput& input, QueryOutput* page) const {
  return internal::Reach(backend()).Query(*this, input, page);
}

Result<ScanOutput> Table::Scan(const ScanInput& input) const {
  ScanOutput page;
  DOLMEN_RETURN_IF_ERROR(Scan(input, &page));
  return page;
}

Status Table::Scan(const ScanInput& input, ScanOutput* page) const {
  return internal::Reach(backend()).Scan(*this, input, page);
}

ItemRange Table::QueryAll(QueryInput input) const { return {*this, std::move(input)}; }

ItemRange Table::ScanAll(ScanInput input) const { return {*this, std::move(input)}; }

Status Table::WaitForIndexes() const { return internal::Reach(backend()).WaitForIndexes(*this); }

Result<std::uint64_t> Table::ItemCollectionSize(const AttributeValue& partition) const {
  return internal::Reach(backend()).ItemCollectionSize(*this, partition);
}

Result<std::uint64_t> Table::ExpireNow(std::uint64_t items_max) const {
  return internal::Reach(backend()).ExpireNow(*this, items_max);
}

Result<Subscription> Table::Subscribe(const SubscribeInput& input, RecordHandler handler) const {
  DOLMEN_ASSIGN_OR_RETURN(std::unique_ptr<internal::Subscriber> subscriber,
                          internal::Reach(backend()).Subscribe(*this, input, std::move(handler)));
  return Subscription(std::move(subscriber));
}

Status Table::Unsubscribe(std::string_view name) const {
  return internal::Reach(backend()).Unsubscribe(*this, name);
}

}  // namespace dolmen
