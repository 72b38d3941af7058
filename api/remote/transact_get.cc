#include "remote/transact_get.h"

#include <utility>
#include <vector>

#include "database/validate.h"
#include "engine/base/status_macros.h"
#include "remote/read_item.h"
#include "remote/remote_table.h"
#include "remote/request_body.h"

namespace dolmen::remote {
namespace {

// The parts of one read that its answer needs again.
struct Read {
  std::optional<HiddenItems> hidden = {};
  SentProjection projection = {};
};

Result<Read> WriteGet(const Service& service, const TransactGetItem& get,
                      const RequestOptions& options, wire::JsonWriter* json) {
  DOLMEN_RETURN_IF_ERROR(
      Validate(GetItemInput{.key = get.key, .projection = get.projection, .names = get.names}));
  const auto asked = get.options.hide_expired ? get.options.hide_expired : options.hide_expired;
  Read read{.hidden = TableOf(get.table).definition()->HiddenFrom(asked, service.Now())};
  internal::ExpressionWriter expressions;
  DOLMEN_RETURN_IF_ERROR(expressions.Begin(get.names, {}));
  std::vector<std::string> needed;
  if (read.hidden) needed.push_back(read.hidden->attribute);
  DOLMEN_RETURN_IF_ERROR(read.projection.Set(get.projection, needed, &expressions));
  json->BeginObject();
  json->Key("Get");
  json->BeginObject();
  json->StringField("TableName", get.table.name());
  DOLMEN_RETURN_IF_ERROR(WriteItem("Key", get.key, json));
  WriteText("ProjectionExpression", read.projection.text, json);
  WritePlaceholders(expressions, json);
  json->EndObject();
  json->EndObject();
  return read;
}

}  // namespace

Result<TransactGetItemsOutput> TransactGet(const Service& service,
                                           const TransactGetItemsInput& input) {
  RequestBody body;
  std::vector<Read> reads;
  body.json().Key("TransactItems");
  body.json().BeginArray();
  for (const TransactGetItem& get : input.items) {
    DOLMEN_ASSIGN_OR_RETURN(Read read, WriteGet(service, get, input.options, &body.json()));
    reads.push_back(std::move(read));
  }
  body.json().EndArray();
  WriteReturnConsumedCapacity(input.options.return_consumed_capacity, &body.json());
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service.Send("TransactGetItems", body.Finish(), Repeat::kSafe));
  TransactGetItemsOutput output;
  output.items.resize(input.items.size());
  output.consumed_capacity = ReadCapacities(response.object(), Units::kRead);
  const auto responses = wire::Member(response.object(), "Responses");
  if (!responses) return output;
  std::size_t i = 0;
  for (const wire::Json json : wire::ArrayOf(*responses)) {
    if (i == reads.size()) break;
    const Read& read = reads[i];
    DOLMEN_ASSIGN_OR_RETURN(std::optional<StoredItem> item,
                            ReadStoredMember(wire::ObjectOf(json), "Item"));
    if (item && !(read.hidden && read.hidden->Hides(item->view()))) {
      DOLMEN_ASSIGN_OR_RETURN(output.items[i], read.projection.Restore(*std::move(item)));
    }
    ++i;
  }
  return output;
}

}  // namespace dolmen::remote
