#include "database/validate.h"

#include <string>

#include "engine/base/status_macros.h"
#include "engine/expression/placeholders.h"
#include "engine/read/get_item.h"
#include "engine/read/query.h"
#include "engine/read/scan.h"
#include "engine/value/codec.h"
#include "engine/write/prepare.h"
#include "engine/write/write_items.h"

namespace dolmen {
namespace {

template <typename Input>
Status ValidateWrite(const Input& input) {
  engine::WriteAction action;
  return engine::Validate(input, &action);
}

}  // namespace

Status Validate(const GetItemInput& input) {
  engine::GetProjection projection;
  return projection.Validate({&input.key, 1}, input.projection, input.names);
}

Status Validate(const PutItemInput& input) { return ValidateWrite(input); }
Status Validate(const UpdateItemInput& input) { return ValidateWrite(input); }
Status Validate(const DeleteItemInput& input) { return ValidateWrite(input); }
Status Validate(const ConditionCheckInput& input) { return ValidateWrite(input); }

Status Validate(const QueryInput& input) { return engine::ValidateQuery(input); }

Status Validate(const ScanInput& input) { return engine::ValidateScan(input); }

Status ValidateNewItem(const Item& item) {
  std::string bytes;
  DOLMEN_RETURN_IF_ERROR(engine::EncodeItem(item, &bytes));
  DOLMEN_ASSIGN_OR_RETURN(const ItemView& view, ItemView::Parse(bytes));
  return engine::CheckItemSize(view, engine::SizeSource::kItem);
}

Status ValidateKey(const Item& key) { return engine::CheckItem(key); }

Status ValidateAction(const decltype(TransactWriteItem::action)& action) {
  return engine::ValidateAction(action);
}
Status ValidateActionSyntax(const decltype(TransactWriteItem::action)& action) {
  return engine::ValidateActionSyntax(action);
}

bool IsTooLarge(const Item& item) {
  std::string bytes;
  if (!engine::EncodeItem(item, &bytes).ok()) return false;
  const Result<ItemView> view = ItemView::Parse(bytes);
  return view.ok() && !engine::CheckItemSize(*view, engine::SizeSource::kItem).ok();
}

Status ValidateNames(const Names& names) { return engine::Placeholders::CheckNames(names); }

}  // namespace dolmen
