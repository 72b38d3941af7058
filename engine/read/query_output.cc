#include <cassert>
#include <utility>

#include "dolmen/query.h"

namespace dolmen {

using Operator = SortKeyCondition::Operator;

SortKeyCondition Equal(AttributeValue value) { return {Operator::kEqual, std::move(value)}; }
SortKeyCondition Less(AttributeValue value) { return {Operator::kLess, std::move(value)}; }
SortKeyCondition LessOrEqual(AttributeValue value) {
  return {Operator::kLessOrEqual, std::move(value)};
}
SortKeyCondition Greater(AttributeValue value) { return {Operator::kGreater, std::move(value)}; }
SortKeyCondition GreaterOrEqual(AttributeValue value) {
  return {Operator::kGreaterOrEqual, std::move(value)};
}
SortKeyCondition Between(AttributeValue lower, AttributeValue upper) {
  return {Operator::kBetween, std::move(lower), std::move(upper)};
}
SortKeyCondition BeginsWith(AttributeValue prefix) {
  return {Operator::kBeginsWith, std::move(prefix)};
}

ItemView QueryOutput::operator[](std::size_t i) const& {
  assert(i < size());
  if (pinned_) return *ItemView::Parse(views_[i]);
  const std::size_t start = i == 0 ? 0 : ends_[i - 1];
  return *ItemView::Parse(std::string_view(bytes_).substr(start, ends_[i] - start));
}

}  // namespace dolmen
