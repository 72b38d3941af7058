#include "engine/stream/record_receiver.h"

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/item_view.h"
#include "engine/base/status_macros.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/request_expression.h"
#include "engine/value/codec.h"
#include "engine/value/item_form.h"

namespace dolmen {
namespace engine {
namespace {

AttributeView AsMap(const StoredItem& item) {
  return {AttributeType::kM, item.view().bytes().substr(kItemHeaderBytes)};
}

// Returns the stored form of the userIdentity that DynamoDB gives to the deletion of an expired
// item: the map {principalId: "dynamodb.amazonaws.com", type: "Service"}.
const std::string& ServiceIdentity() {
  static const std::string kPayload = [] {
    std::string payload;
    EncodeValue(Map{{"principalId", "dynamodb.amazonaws.com"}, {"type", "Service"}}, &payload)
        .IgnoreError();
    return payload;
  }();
  return kPayload;
}

// Returns an item with the attributes that SubscribeInput::filter (dolmen/subscription.h) lists.
// - kCorruption: an item of the record is damaged.
Result<StoredItem> ToItem(const StreamRecord& record) {
  std::string bytes;
  ItemWriter writer(&bytes);  // needs the names in byte order
  writer.Add("Keys", AsMap(record.keys));
  if (record.new_image) writer.Add("NewImage", AsMap(*record.new_image));
  if (record.old_image) writer.Add("OldImage", AsMap(*record.old_image));
  writer.Add("eventName", {AttributeType::kS, EventNameText(record.event_name)});
  if (record.by_service) writer.Add("userIdentity", {AttributeType::kM, ServiceIdentity()});
  writer.Finish();
  return StoredItem::FromBytes(std::move(bytes));
}

}  // namespace
}  // namespace engine

namespace internal {
namespace {

constexpr std::size_t kSubscriptionNameBytesMax = 255;

}  // namespace

struct RecordReceiver::Filter {
  std::optional<engine::Placeholders> placeholders;
  engine::RequestFilter condition;
};

RecordReceiver::RecordReceiver(const SubscribeInput& input, SubscriptionHandler handler)
    : input_(input), handler_(std::move(handler)), filter_(std::make_unique<Filter>()) {}
RecordReceiver::~RecordReceiver() = default;

Result<std::unique_ptr<RecordReceiver>> RecordReceiver::Make(const SubscribeInput& input,
                                                             SubscriptionHandler handler) {
  if (input.name.empty() || input.name.size() > kSubscriptionNameBytesMax) {
    return Status::Validation("The name of a subscription must have 1 to 255 bytes");
  }
  if (!std::visit([](const auto& function) { return bool{function}; }, handler)) {
    return Status::Validation("A subscription needs a handler");
  }
  std::unique_ptr<RecordReceiver> receiver(new RecordReceiver(input, std::move(handler)));
  // The bound filter borrows from the input, so it is bound to the receiver's own copy.
  const SubscribeInput& own = receiver->input_;
  Filter& filter = *receiver->filter_;
  DOLMEN_RETURN_IF_ERROR(
      engine::BindExpressions(own.names, own.values, &filter.placeholders,
                              engine::ExpressionSlot{own.filter, &filter.condition}));
  return receiver;
}

Result<bool> RecordReceiver::Receive(const StreamRecord& record) const {
  DOLMEN_ASSIGN_OR_RETURN(const bool passes, Passes(record));
  if (!passes) return false;
  return CallHandler(std::get<RecordHandler>(handler_), record).and_return(true);
}

Result<std::size_t> RecordReceiver::ReceivePage(std::span<const StreamRecord> page) const {
  std::vector<const StreamRecord*> passing;
  for (const StreamRecord& record : page) {
    DOLMEN_ASSIGN_OR_RETURN(const bool passes, Passes(record));
    if (passes) passing.push_back(&record);
  }
  if (passing.empty()) return std::size_t{0};
  return CallHandler(std::get<PageHandler>(handler_), passing).and_return(passing.size());
}

Result<bool> RecordReceiver::Passes(const StreamRecord& record) const {
  if (!filter_->condition) return true;
  DOLMEN_ASSIGN_OR_RETURN(const StoredItem& item, engine::ToItem(record));
  return filter_->condition->Evaluate(item.view());
}

template <typename Handler, typename Records>
Status RecordReceiver::CallHandler(const Handler& handler, const Records& records) const {
  const std::string start = "The handler of the subscription " + input_.name + " threw";
  try {
    return handler(records);
  } catch (const std::exception& thrown) {
    return Status::Validation(start + ": " + thrown.what());
  } catch (...) {
    return Status::Validation(start + " something other than a std::exception");
  }
}

Status SubscriptionIsRunning(const std::string& name) {
  return Status::ResourceInUse("A subscription with this name is already running: " + name);
}

Status NoSuchSubscription(const std::string& name) {
  return Status::ResourceNotFound("The table has no subscription with this name: " + name);
}

Status NoStream(const std::string& table) {
  return Status::Validation("The table has no stream: enable it with CreateTable or UpdateTable: " +
                            table);
}

}  // namespace internal
}  // namespace dolmen
