#include "dolmen/table.h"

#include <utility>

#include "engine/engine.h"
#include "engine/read/read.h"
#include "engine/schema/content_size.h"
#include "engine/write/write_items.h"

namespace dolmen {

Table::Table(std::shared_ptr<engine::Engine> engine, std::shared_ptr<engine::LiveTable> live)
    : engine_(std::move(engine)), live_(std::move(live)) {}

const std::string& Table::name() const { return live_->name(); }

Result<GetItemOutput> Table::GetItem(const GetItemInput& input) const {
  GetItemOutput output;
  if (Status read = GetItem(input, &output); !read.ok()) return read;
  return output;
}

Status Table::GetItem(const GetItemInput& input, GetItemOutput* output) const {
  Status read = engine::ReadLive(*live_, [&](const engine::TableSchema& schema) {
    return engine::GetItem(engine_->read_context(), schema, input, output);
  });
  if (!read.ok()) *output = {};
  return read;
}

Result<WriteItemOutput> Table::PutItem(const PutItemInput& input) const {
  return engine::WriteItem(engine_->write_context(), *live_, input);
}

Result<WriteItemOutput> Table::UpdateItem(const UpdateItemInput& input) const {
  return engine::WriteItem(engine_->write_context(), *live_, input);
}

Result<WriteItemOutput> Table::DeleteItem(const DeleteItemInput& input) const {
  return engine::WriteItem(engine_->write_context(), *live_, input);
}

Result<QueryOutput> Table::Query(const QueryInput& input) const {
  QueryOutput page;
  if (Status read = Query(input, &page); !read.ok()) return read;
  return page;
}

Status Table::Query(const QueryInput& input, QueryOutput* page) const {
  Status read = engine::ReadLive(*live_, [&](const engine::TableSchema& schema) {
    return engine::Query(engine_->read_context(), schema, input, page);
  });
  if (!read.ok()) page->Clear();
  return read;
}

Result<ScanOutput> Table::Scan(const ScanInput& input) const {
  ScanOutput page;
  if (Status read = Scan(input, &page); !read.ok()) return read;
  return page;
}

Status Table::Scan(const ScanInput& input, ScanOutput* page) const {
  Status read = engine::ReadLive(*live_, [&](const engine::TableSchema& schema) {
    return engine::Scan(engine_->read_context(), schema, input, page);
  });
  if (!read.ok()) page->Clear();
  return read;
}

Status Table::WaitForIndexes() const { return engine_->backfiller().Wait(*live_); }

Result<std::uint64_t> Table::ItemCollectionSize(const AttributeValue& partition) const {
  return engine::ReadLive(*live_, [&](const engine::TableSchema& schema) {
    return engine::ItemCollectionSize(engine_->store(), schema, partition);
  });
}

Result<std::uint64_t> Table::ExpireNow(std::uint64_t items_max) const {
  return engine_->sweeper().Sweep(*live_, items_max);
}

Result<Subscription> Table::Subscribe(const SubscribeInput& input, RecordHandler handler) const {
  Result<std::unique_ptr<engine::Subscriber>> subscriber = engine::Subscriber::Make(
      engine_->subscriber_context(), live_, engine_, input, std::move(handler));
  if (!subscriber.ok()) return subscriber.status();
  return Subscription(*std::move(subscriber));
}

Status Table::Unsubscribe(std::string_view name) const {
  return engine::Unsubscribe(engine_->subscriber_context(), *live_, std::string(name));
}

}  // namespace dolmen
