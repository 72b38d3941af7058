// A query of entities without its types: what EntityQuery (query.h) is made of.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/entity/requests.h"

namespace dolmen::entity {

// Behind every text that goes on: the last character of Unicode.
inline constexpr std::string_view kLastCharacter = "\xF4\x8F\xBF\xBF";

class Range {
 public:
  Range(Requests requests, std::string index, std::vector<const EntitySpec*> entities);

  void Give(std::string_view attribute, std::optional<AttributeValue> value,
            const Problem& problem);
  void GiveEach(std::string_view attribute, std::vector<AttributeValue> values,
                const Problem& problem);

  // Of the first part of the sort key that is not given.  `after`: not the lower one itself.  One
  // end may be bound after the other.
  struct Bounds {
    std::string_view attribute = {};
    std::optional<AttributeValue> lower = {};
    std::optional<AttributeValue> upper = {};
    bool after = false;
  };
  void Bound(Bounds bounds, const Problem& problem);

  void set_forward(bool forward) { forward_ = forward; }
  void set_limit(std::uint32_t limit) { limit_ = limit; }
  void set_cursor(std::string cursor) { cursor_ = std::move(cursor); }
  void set_filter(FilterExpression filter) { filter_ = std::move(filter); }

  const std::optional<std::uint32_t>& limit() const { return limit_; }
  const std::vector<const EntitySpec*>& entities() const { return entities_; }

  // The query as a request.  kValidation: what is given does not fit the keys of the entities.
  Result<QueryInput> Input() const;

  // One page of it; `*cursor` is that of the next one, "" at the end.
  Status Page(QueryOutput* page, std::string* cursor) const;
  // How many items there are in all pages.
  Result<std::uint64_t> Count() const;
  // Pages for as long as `visit` returns true.
  Status ForEachPage(const std::function<Result<bool>(const QueryOutput&)>& visit) const;

  // For an item that is of none of the entities.
  Status UnknownEntity(ItemView item) const;

 private:
  using Known = std::pair<std::string_view, AttributeValue>;
  class Parts;

  // `each` is one of the several values that a part was given.
  Result<std::string> Partition(const EntitySpec& entity, const Known* each) const;
  Result<std::vector<AttributeValue>> Partitions(const EntitySpec& entity) const;
  Result<std::optional<SortKeyCondition>> Sort() const;
  Result<SortKeyCondition> BoundedSort(const EntitySpec& entity, const KeyTemplate& key) const;
  Status CheckGiven() const;
  Status CheckBounds(const EntitySpec& entity, const KeyTemplate& key,
                     const KeySegment& segment) const;
  // Of the sort key's parts `count` were given; none behind them may be.
  Status CheckSortParts(const EntitySpec& entity, const KeyTemplate& key, std::size_t count) const;
  bool IsGiven(std::string_view name) const;
  Status ForEachPageOf(QueryInput input,
                       const std::function<Result<bool>(const QueryOutput&)>& visit) const;
  const KeySpec& KeyOf(const EntitySpec& entity) const { return *entity.FindKey(index_); }
  void Note(std::string_view attribute, const Problem& problem);

  Requests requests_;
  std::string index_;
  std::vector<const EntitySpec*> entities_;
  std::vector<Known> given_;
  std::optional<std::pair<std::string_view, std::vector<AttributeValue>>> each_;
  std::optional<Bounds> bounds_;
  Status status_;  // what was wrong with something given
  bool forward_ = true;
  std::optional<std::uint32_t> limit_;
  std::string cursor_;
  FilterExpression filter_;
};

}  // namespace dolmen::entity
