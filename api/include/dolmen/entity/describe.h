// The design of a table that a program's entities declare: as the tables of a page, as a picture, and
// as data for other tools. A test can compare a page with the design, so that both stay equal.
//
//   const TableDesign design = Describe<Conversation, Participant, Message>(
//       "chat", {AccessPattern("Messages of a conversation, newest first", "ListMessages")
//                    .With<&Message::id, &MessageId::conversation_id>()
//                    .SortedBy<&Message::id, &MessageId::ulid>()});
//   std::cout << design.ToMarkdown();
//   std::ofstream("chat.svg") << design.ToSvg(items);
//
// Lint (lint.h) accepts the patterns of a design, so a program declares each pattern once.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/describe_table.h"
#include "dolmen/design/picture.h"
#include "dolmen/entity/lint.h"

namespace dolmen {

// The entities of a table and the access patterns of its program. A value type; const methods are
// thread-safe.
class TableDesign {
 public:
  // `entities` must not be empty; Describe calls this.
  TableDesign(std::string name, std::vector<const entity::EntitySpec*> entities,
              std::vector<AccessPattern> patterns)
      : name_(std::move(name)), entities_(std::move(entities)), patterns_(std::move(patterns)) {}

  // Returns the table's keys and indexes, as the entities use them. Every index is a global index that
  // holds all attributes. The fields of a stored table, for example the time of its creation, are
  // empty.
  TableDescription Table() const;

  // Return tables in Markdown, with a line end after each line. A key has the form of its template:
  // `CONVO#{conversationId}`.
  // - KeyTable: each entity, its primary key and its attributes; below, the unique attributes and the
  //   edges.
  // - IndexTable: each key of an entity in an index. "" if there are no indexes.
  // - PatternTable: each access pattern, its method, and the request that serves the
  //   pattern. "" if there are no patterns. An unserved pattern shows the text of Lint.
  // - ToMarkdown: the three tables, with an empty line between them.
  std::string KeyTable() const;
  std::string IndexTable() const;
  std::string PatternTable() const;
  std::string ToMarkdown() const;

  // Returns the picture of the items in this table (DrawTable). Entities and attributes have the order
  // of their declaration. Of `options`, `kinds`, `type_attributes` and `attribute_order` are ignored.
  std::string ToSvg(std::span<const Item> items, PictureOptions options = {}) const;

  const std::string& name() const { return name_; }
  const std::vector<const entity::EntitySpec*>& entities() const { return entities_; }
  const std::vector<AccessPattern>& patterns() const { return patterns_; }

 private:
  std::string name_;
  std::vector<const entity::EntitySpec*> entities_;
  std::vector<AccessPattern> patterns_;
};

// Returns the design of a table that holds these entities. `name` is the table's name.
template <typename... Entities>
TableDesign Describe(std::string name, std::vector<AccessPattern> patterns = {}) {
  static_assert(sizeof...(Entities) > 0, "a design has at least one entity");
  return TableDesign(std::move(name), {&entity::kSpec<Entities>...}, std::move(patterns));
}

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
