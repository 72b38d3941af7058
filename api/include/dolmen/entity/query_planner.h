// The planner of queries: it makes a QueryInput from the parts of keys that a caller sets.
//
// EntityQuery (query.h) encodes the members and passes their values with the attributes' names.
// The planner therefore is not a template. The planner sends nothing.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/entity/entity_matcher.h"
#include "dolmen/entity/entity_spec.h"
#include "dolmen/entity/key_text.h"
#include "dolmen/entity/projection.h"
#include "dolmen/query.h"

namespace dolmen::entity {

// The last character of Unicode, U+10FFFF. A prefix followed by this character sorts after every
// text that begins with the prefix, so it is the upper end of the range of these texts.
inline constexpr std::string_view kLastCharacter = "\xF4\x8F\xBF\xBF";

// A query under construction. The methods that set its parts return no error: the planner records
// the first mistake, and Plan returns its error.
//
// A value type; const methods are thread-safe. Attribute names are borrowed from the entities,
// which are constants of the program.
class QueryPlanner {
 public:
  // `index` is "" for the table. `entities` has at least one element.
  QueryPlanner(std::string index, std::initializer_list<const EntitySpec*> entities);

  // Defined in the source, so that programs need not compile them.
  QueryPlanner(const QueryPlanner& other);
  QueryPlanner(QueryPlanner&& other) noexcept;
  QueryPlanner& operator=(const QueryPlanner& other);
  QueryPlanner& operator=(QueryPlanner&& other) noexcept;
  ~QueryPlanner();

  // The functions below take the values from structs of the attribute's entity. A value that is
  // absent or cannot be encoded is a mistake.

  // Sets the value of a part.
  void SetPart(const AttributeSpec& attribute, const void* value);

  // Begins to set `count` values of one part of the partition key; AddToEach adds them. It is a
  // mistake if `count` is 0.
  void SetPartToEach(const AttributeSpec& attribute, std::size_t count);
  void AddToEach(const AttributeSpec& attribute, const void* value);

  // Limits one part of the sort key. A null pointer is no bound. If `is_open`, the range excludes the
  // bounds themselves. A second call must be for the attribute of the first call; a different
  // attribute is a mistake.
  void AddBounds(const AttributeSpec& attribute, const void* lower, const void* upper,
                 bool is_open);

  // Reads an attribute of an entity, given by their positions, and no attribute that was not given in
  // this way, except for those of the primary key. Does not change entities of which no attribute is
  // given.
  void Project(std::size_t entity, std::size_t attribute);

  void set_forward(bool forward) { forward_ = forward; }
  void set_limit(std::uint32_t limit) { limit_ = limit; }
  void set_cursor(std::string cursor) { cursor_ = std::move(cursor); }
  void set_filter(FilterExpression filter);

  const std::optional<std::uint32_t>& limit() const { return limit_; }

  // Returns the request.
  // - kValidation: a mistake was recorded, or the parts that are set do not fit the entities' keys.
  //   The class comment of EntityQuery lists the reasons.
  Result<QueryInput> Plan() const;

  // Returns the queried key of the first entity, borrowed from the entity. REQUIRES: Plan()
  // succeeds
  const KeySpec& key() const { return KeyOf(*entities().front()); }

  // The matcher of the found items to the entities.
  const EntityMatcher& matcher() const DOLMEN_LIFETIME_BOUND { return matcher_; }
  EntityMatcher& matcher() DOLMEN_LIFETIME_BOUND { return matcher_; }

 private:
  const std::vector<const EntitySpec*>& entities() const { return matcher_.entities(); }

  // The range of one part of the sort key. An empty bound means that the range has no limit at
  // that end.
  struct Bounds {
    std::string_view attribute = {};
    std::optional<AttributeValue> lower = {};
    std::optional<AttributeValue> upper = {};
    // True if `lower` itself is excluded.
    bool after = false;
    // True if `upper` itself is excluded.
    bool before = false;
  };

  using NamedValue = std::pair<std::string_view, AttributeValue>;
  class GivenPartValues;

  // Returns the text of the partition key. `each` is one of the values of SetPartToEach, or null.
  Result<std::string> PartitionKey(const EntitySpec& entity, const NamedValue* each) const;
  // Returns the texts of all queried partition keys, one for each value of SetPartToEach.
  Result<std::vector<AttributeValue>> PartitionKeys(const EntitySpec& entity) const;
  // Returns the condition on the sort key. Returns nothing if the query reads whole partitions.
  Result<std::optional<SortKeyCondition>> SortCondition() const;
  // Returns the condition on the sort key for a query with bounds.
  Result<SortKeyCondition> BoundedSortCondition(const EntitySpec& entity,
                                                const KeyTemplate& key) const;
  // Checks that each part that is set is in the queried key of every entity.
  Status CheckGivenParts() const;
  // Checks that the texts in the key sort as the values of the bounded part do.
  Status CheckBounds(const EntitySpec& entity, const KeyTemplate& key,
                     const KeySegment& segment) const;
  // Checks that the caller has set no part of the sort key after the first `count` segments.
  Status CheckNoPartAfter(const EntitySpec& entity, const KeyTemplate& key,
                          std::size_t count) const;
  bool IsGiven(std::string_view name) const;
  const KeySpec& KeyOf(const EntitySpec& entity) const { return *entity.FindKey(index_); }
  // Sets status_ to the error of the attribute unless `error` is ok. Keeps an error that status_ has
  // already.
  void Record(std::string_view attribute, const Status& error);
  // Returns the attribute of the struct at `value`. If it has none, records the mistake and returns
  // nothing.
  std::optional<AttributeValue> Encode(const AttributeSpec& attribute, const void* value);

  std::string index_;
  EntityMatcher matcher_;
  // The entities with a projection, by their positions. Copies of the planner share them.
  std::vector<std::shared_ptr<const ProjectedEntity>> projected_;
  std::vector<NamedValue> given_;
  std::optional<std::pair<std::string_view, std::vector<AttributeValue>>> each_;
  std::optional<Bounds> bounds_;
  Status status_;  // the first mistake
  bool forward_ = true;
  std::optional<std::uint32_t> limit_;
  std::string cursor_;
  FilterExpression filter_;
};

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
