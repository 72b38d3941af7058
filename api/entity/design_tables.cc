#include "entity/design_tables.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

namespace dolmen::entity {
namespace {

// Appends the segment's part in the syntax of key.h. Leaves out `any` and `unpadded`, which change
// only the accepted values.
void AppendPart(const EntitySpec& entity, const KeySegment& segment, std::string* text) {
  if (segment.attribute == KeySegment::kNoAttribute) return;
  text->append("{").append(entity.attributes[static_cast<std::size_t>(segment.attribute)].name);
  if (segment.format == PartFormat::kDate) text->append(":date");
  if (segment.format == PartFormat::kPadded) {
    text->append(":0").append(std::to_string(segment.width));
  }
  text->append("}");
}

// Appends `text` with the characters escaped that have a meaning in a Markdown table.
void AppendCell(std::string_view text, std::string* row) {
  row->append(" ");
  for (const char c : text) {
    if (c == '|') row->append("\\");
    row->push_back(c == '\n' ? ' ' : c);
  }
  row->append(text.empty() ? "|" : " |");
}

std::string Row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) AppendCell(cell, &row);
  return row + "\n";
}

std::string Header(const std::vector<std::string>& cells) {
  std::string rule = "|";
  for (std::size_t i = 0; i < cells.size(); ++i) rule.append("---|");
  return Row(cells) + rule + "\n";
}

std::string Code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

// Returns the attributes that the item has besides its keys.
std::string AttributesText(const EntitySpec& entity) {
  // A struct with the values of its initialisers shows which attributes are behind an optional.
  const OwnedStruct value(entity);
  std::string text;
  for (const AttributeSpec& attribute : entity.attributes) {
    if (attribute.in_key_only) continue;
    text.append(text.empty() ? "" : ", ");
    if (attribute.rest != nullptr) {
      text.append("any other attributes");
      continue;
    }
    text.append(attribute.name);
    const bool can_be_absent = attribute.may_be_empty || !attribute.is_reachable(value.get());
    if (can_be_absent && !attribute.is_required) text.append(" (optional)");
    if (attribute.is_version) text.append(" (the version)");
  }
  return text;
}

// Returns a list of the promises of the entities: unique attributes and edges.
std::string PromisesText(std::span<const EntitySpec* const> entities) {
  std::string text;
  std::set<std::string_view> inverses;
  for (const EntitySpec* entity : entities) {
    for (const UniqueSpec& unique : entity->uniques) {
      const std::string name(entity->attributes[unique.attribute].name);
      text.append("- The attribute `" + name + "` of the entity `").append(entity->name);
      text.append("` is unique in the table: an item with the key `UNIQUE#").append(unique.claim);
      text.append("#{").append(name).append("}` / `UNIQUE` reserves each of its values.\n");
    }
    for (const EdgeSpec& edge : entity->edges) {
      const std::string_view inverse = edge.inverse().name;
      if (inverses.contains(entity->name)) continue;
      inverses.insert(inverse);
      if (inverse == entity->name) {
        text.append("- The entity `").append(entity->name);
        text.append("` is an edge. The layer writes both directions of the edge together.\n");
      } else {
        text.append("- The entities `").append(entity->name).append("` and `").append(inverse);
        text.append("` are the two directions of an edge. The layer writes both together.\n");
      }
    }
  }
  return text;
}

std::vector<std::string_view> IndexNames(std::span<const EntitySpec* const> entities) {
  std::set<std::string_view> names;
  for (const EntitySpec* entity : entities) {
    for (const KeySpec& key : entity->keys.subspan(1)) names.insert(key.index);
  }
  return {names.begin(), names.end()};
}

// Returns the part of the sort key that the pattern knows, as a template.
std::string KnownText(const AccessPattern& pattern, const KeyTemplate& key) {
  std::string text;
  for (const KeySegment& segment : key) {
    text.append(segment.literal);
    if (!pattern.Knows(segment)) break;
    AppendPart(*pattern.entity(), segment, &text);
  }
  return text;
}

}  // namespace

std::string TemplateText(const EntitySpec& entity, const KeyTemplate& key) {
  std::string text;
  for (const KeySegment& segment : key) {
    text.append(segment.literal);
    AppendPart(entity, segment, &text);
  }
  return text;
}

std::string KeyTable(std::span<const EntitySpec* const> entities) {
  const KeySpec& first = entities.front()->primary();
  const bool has_sort = std::ranges::any_of(
      entities, [](const EntitySpec* entity) { return entity->primary().has_sort; });
  std::vector<std::string> header{"Entity", first.PartitionName()};
  if (has_sort) header.push_back(first.SortName());
  header.emplace_back("Attributes");
  std::string table = Header(header);
  for (const EntitySpec* entity : entities) {
    const KeySpec& key = entity->primary();
    std::vector<std::string> row{std::string(entity->name),
                                 Code(TemplateText(*entity, key.partition))};
    if (has_sort) row.push_back(Code(TemplateText(*entity, key.sort)));
    row.push_back(AttributesText(*entity));
    table += Row(row);
  }
  const std::string promises = PromisesText(entities);
  return promises.empty() ? table : table + "\n" + promises;
}

std::string IndexTable(std::span<const EntitySpec* const> entities) {
  std::string rows;
  for (const std::string_view index : IndexNames(entities)) {
    for (const EntitySpec* entity : entities) {
      const KeySpec* key = entity->FindKey(index);
      if (key == nullptr) continue;
      rows += Row({std::string(index), std::string(entity->name),
                   Code(TemplateText(*entity, key->partition)),
                   Code(TemplateText(*entity, key->sort))});
    }
  }
  return rows.empty() ? rows : Header({"Index", "Entity", "Partition key", "Sort key"}) + rows;
}

std::string RequestText(const AccessPattern& pattern) {
  const KeySpec* key = pattern.FindKey();
  if (key == nullptr) return pattern.FindFault();
  const EntitySpec& entity = *pattern.entity();
  const std::string partition = Code(TemplateText(entity, key->partition));
  const std::string sort = Code(TemplateText(entity, key->sort));
  const std::string known = Code(KnownText(pattern, key->sort));
  const bool knows_all =
      std::ranges::all_of(key->sort, [&](const auto& part) { return pattern.Knows(part); });
  if (knows_all && key->index.empty()) {
    return "GetItem " + partition + (sort.empty() ? "" : " / " + sort);
  }
  std::string text = "Query ";
  if (!key->index.empty()) text.append(key->index).append(" ");
  text.append(partition);
  if (known.empty()) return text;
  return text.append(knows_all ? " / " : ", begins_with ").append(known);
}

std::string PatternTable(std::span<const AccessPattern> patterns) {
  if (patterns.empty()) return {};
  std::string table = Header({"Pattern", "Method", "Request"});
  for (const AccessPattern& pattern : patterns) {
    table += Row({pattern.name(), Code(pattern.method()), RequestText(pattern)});
  }
  return table;
}

}  // namespace dolmen::entity
