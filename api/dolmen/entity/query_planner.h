// A query of entities without its types: what EntityQuery (query.h) is made of.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/entity/entity_spec.h"
#include "dolmen/entity/key_text.h"
#include "dolmen/query.h"

namespace dolmen::entity {

// Behind every text that goes on: the last character of Unicode.
inline constexpr std::string_view kLastCharacter = "\xF4\x8F\xBF\xBF";

class QueryPlanner {
 public:
  QueryPlanner(std::string index, std::vector<const EntitySpec*> entities);

  void SetPart(std::string_view attribute, std::optional<AttributeValue> value,
               const Problem& problem);
  void SetPartToEach(std::string_view attribute, std::vector<AttributeValue> values,
                     const Problem& problem);

  // Of the first part of the sort key that is not given.  `after`: not the lower one itself.  One
  // end may be bound after the other.
  struct Bounds {
    std::string_view attribute = {};
    std::optional<AttributeValue> lower = {};
    std::optional<AttributeValue> upper = {};
    bool after = false;
  };
  void AddBounds(Bounds bounds, const Problem& problem);

  void set_forward(bool forward) { forward_ = forward; }
  void set_limit(std::uint32_t limit) { limit_ = limit; }
  void set_cursor(std::string cursor) { cursor_ = std::move(cursor); }
  void set_filter(FilterExpression filter) { filter_ = std::move(filter); }

  const std::optional<std::uint32_t>& limit() const { return limit_; }

  // The query as a request.  kValidation: what is given does not fit the keys of the entities.
  Result<QueryInput> Plan() const;

  // REQUIRES: Plan() succeeds
  const KeySpec& key() const { return KeyOf(*entities_.front()); }

  // For an item that is of none of the entities.
  Status UnknownEntityError(ItemView item) const;

 private:
  using NamedValue = std::pair<std::string_view, AttributeValue>;
  class GivenPartValues;

  // `each` is one of the several values that a part was given.
  Result<std::string> PartitionKey(const EntitySpec& entity, const NamedValue* each) const;
  Result<std::vector<AttributeValue>> PartitionKeys(const EntitySpec& entity) const;
  Result<std::optional<SortKeyCondition>> SortCondition() const;
  Result<SortKeyCondition> BoundedSortCondition(const EntitySpec& entity,
                                                const KeyTemplate& key) const;
  Status CheckGivenParts() const;
  Status CheckBounds(const EntitySpec& entity, const KeyTemplate& key,
                     const KeySegment& segment) const;
  // Of the sort key's parts `count` were given; none behind them may be.
  Status CheckNoPartAfter(const EntitySpec& entity, const KeyTemplate& key,
                          std::size_t count) const;
  bool IsGiven(std::string_view name) const;
  const KeySpec& KeyOf(const EntitySpec& entity) const { return *entity.FindKey(index_); }
  void RecordProblem(std::string_view attribute, const Problem& problem);

  std::string index_;
  std::vector<const EntitySpec*> entities_;
  std::vector<NamedValue> given_;
  std::optional<std::pair<std::string_view, std::vector<AttributeValue>>> each_;
  std::optional<Bounds> bounds_;
  Status status_;  // what was wrong with something given
  bool forward_ = true;
  std::optional<std::uint32_t> limit_;
  std::string cursor_;
  FilterExpression filter_;
};

}  // namespace dolmen::entity
