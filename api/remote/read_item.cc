#include "remote/read_item.h"

#include <utility>

#include "database/validate.h"
#include "engine/base/status_macros.h"
#include "engine/value/stored_form.h"
#include "remote/request_body.h"

namespace dolmen::remote {

Status SentProjection::Set(const ProjectionExpression& projection,
                           std::span<const std::string> needed,
                           internal::ExpressionWriter* expressions) {
  if (!projection.given()) return {};
  DOLMEN_ASSIGN_OR_RETURN(text, needed.empty() ? expressions->Text(projection)
                                               : expressions->Extended(projection, needed, &added));
  return {};
}

Result<StoredItem> SentProjection::Restore(StoredItem item) const {
  if (added.empty()) return item;
  DOLMEN_ASSIGN_OR_RETURN(Item attributes, item.Copy());
  for (const std::string& name : added) attributes.erase(name);
  return internal::ToStored(attributes);
}

Status ReadItem(const Service& service, const RemoteTable& table, const GetItemInput& input,
                GetItemOutput* output) {
  output->item.reset();
  output->consumed_capacity.reset();
  DOLMEN_RETURN_IF_ERROR(Validate(input));
  const auto hidden = table.definition()->HiddenFrom(input.options.hide_expired, service.Now());
  internal::ExpressionWriter expressions;
  DOLMEN_RETURN_IF_ERROR(expressions.Begin(input.names, {}));
  std::vector<std::string> needed;
  if (hidden) needed.push_back(hidden->attribute);
  SentProjection projection;
  DOLMEN_RETURN_IF_ERROR(projection.Set(input.projection, needed, &expressions));

  RequestBody body;
  body.json().StringField("TableName", table.name());
  DOLMEN_RETURN_IF_ERROR(WriteItem("Key", input.key, &body.json()));
  WriteText("ProjectionExpression", projection.text, &body.json());
  WritePlaceholders(expressions, &body.json());
  if (input.consistent_read) body.json().BooleanField("ConsistentRead", true);
  WriteReturnConsumedCapacity(input.options.return_consumed_capacity, &body.json());
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service.Send("GetItem", body.Finish(), Repeat::kSafe));
  DOLMEN_ASSIGN_OR_RETURN(std::optional<StoredItem> item,
                          ReadStoredMember(response.object(), "Item"));
  if (item && !(hidden && hidden->Hides(item->view()))) {
    DOLMEN_ASSIGN_OR_RETURN(output->item, projection.Restore(*std::move(item)));
  }
  output->consumed_capacity = ReadCapacity(response.object(), Units::kRead);
  return {};
}

}  // namespace dolmen::remote
