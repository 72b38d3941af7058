#include "database/statement/columns.h"

#include <algorithm>
#include <numeric>

#include "engine/base/status_macros.h"
#include "engine/value/codec.h"

namespace dolmen::database {

ProjectionExpression ProjectionOf(const Statement& statement) {
  if (statement.columns == nullptr) return {};
  return ProjectionExpression(statement.column_attributes != nullptr ? statement.column_attributes
                                                                     : statement.columns);
}

Status Columns::Bind(const Statement& statement) {
  DOLMEN_ASSIGN_OR_RETURN(engine::Projection paths,
                          engine::BindProjection(*statement.columns, placeholders_));
  paths_.emplace(std::move(paths));
  names_ = &statement.column_names;
  sorted_.resize(names_->size());
  std::iota(sorted_.begin(), sorted_.end(), std::size_t{0});
  std::sort(sorted_.begin(), sorted_.end(),
            [&](std::size_t a, std::size_t b) { return (*names_)[a] < (*names_)[b]; });
  return {};
}

Status Columns::Apply(const ItemView& item, std::string* out) const {
  engine::ItemWriter writer(out);
  for (const std::size_t column : sorted_) {
    const AttributeView value = paths_->paths()[column].Find(item);
    if (!value.exists()) continue;
    if (Status valid = value.Check(); !valid.ok()) {
      writer.Abandon();
      return valid;
    }
    writer.Add((*names_)[column], value);
  }
  writer.Finish();
  return {};
}

}  // namespace dolmen::database
