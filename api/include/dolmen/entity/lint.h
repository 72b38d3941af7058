// Advice about the keys of a table's entities, for a test of the program.
//
//   TEST(KeysTest, ServeAllAccessPatterns) {
//     const auto advice = Lint<Conversation, Participant, Message>(
//         {AccessPattern("messages of a conversation, newest first")
//              .With<&Message::id, &MessageId::conversation_id>()
//              .SortedBy<&Message::id, &MessageId::ulid>(),
//          AccessPattern("conversations of a user").With<&Participant::id, &ParticipantId::user_id>()});
//     EXPECT_THAT(advice, IsEmpty());
//   }
//
// CheckTable (table_check.h) finds mistakes. Lint finds properties that can be intended, so it
// returns texts. A test lists the ones that the program accepts.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/entity/definition.h"

namespace dolmen {

// A question that a program asks of one entity: which attributes it knows, and in which order it
// expects the answer. The methods return the object itself. The first member decides the entity.
class AccessPattern {
 public:
  // `name` says in a text of Lint, and in the table of a design (describe.h), which pattern is meant.
  // `method` is the program's method that reads the pattern, for the table of a design.
  explicit AccessPattern(std::string name, std::string method = {})
      : name_(std::move(name)), method_(std::move(method)) {}

  // Adds an attribute whose value the program knows. It names the member by the path of Attribute.
  template <auto... kPath>
  AccessPattern& With() {
    return Add(&entity::kSpec<typename entity::MemberPath<kPath...>::Struct>,
               entity::AttributePosition<kPath...>(), false);
  }

  // Adds all attributes of the primary key of T: the pattern reads one entity.
  template <typename T>
  AccessPattern& WithKey() {
    return AddKey(&entity::kSpec<T>);
  }

  // Says that the answer is sorted by an attribute, in either direction.
  template <auto... kPath>
  AccessPattern& SortedBy() {
    return Add(&entity::kSpec<typename entity::MemberPath<kPath...>::Struct>,
               entity::AttributePosition<kPath...>(), true);
  }

  // Returns why no key of the entity serves the pattern; "" if a key does. A key serves the pattern
  // if the program knows all parts of its partition key. The other known attributes must then be
  // the first parts of its sort key, and the attribute of SortedBy the next part.
  std::string FindFault() const;

  // Returns the first key that serves the pattern; null if no key does, or if FindFault returns a
  // mistake of the pattern itself.
  const entity::KeySpec* FindKey() const;

  // Returns true if the program knows the value of the part, or if the segment has no part.
  bool Knows(const entity::KeySegment& part) const;

  const std::string& name() const { return name_; }
  const std::string& method() const { return method_; }
  // Returns the entity; null if the pattern names no member.
  const entity::EntitySpec* entity() const { return entity_; }

 private:
  AccessPattern& Add(const entity::EntitySpec* entity, std::size_t attribute, bool is_order);
  AccessPattern& AddKey(const entity::EntitySpec* entity);
  bool IsServedBy(const entity::KeySpec& key) const;

  std::string name_;
  std::string method_;
  const entity::EntitySpec* entity_ = nullptr;
  bool has_two_entities_ = false;
  std::vector<std::size_t> known_;
  std::vector<std::size_t> order_;  // at most one attribute
};

namespace entity {

// Implements Lint.
std::vector<std::string> FindAdvice(std::span<const EntitySpec* const> entities,
                                    std::span<const AccessPattern> patterns);

}  // namespace entity

// Returns one text for each finding, in the order of the list:
// - An access pattern is served by no key.
// - A partition key has no parts, but its sort key has parts. All items share one partition, which
//   limits their rate of writes. A part that spreads the items is the remedy.
// - A query for all items of one entity also reads those of another, because their sort keys begin
//   alike in one partition. EntityTable::Query of both entities reads them on purpose.
template <typename... Entities>
std::vector<std::string> Lint(const std::vector<AccessPattern>& patterns = {}) {
  const entity::EntitySpec* const entities[] = {&entity::kSpec<Entities>...};
  return entity::FindAdvice(entities, patterns);
}

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
