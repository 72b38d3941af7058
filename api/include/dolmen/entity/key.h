// Key templates, which declare the texts of an entity's keys.
//
//   PrimaryKey("CONVO#{conversationId}", "MSG#{messageId}")
//   IndexKey("GSI1", "TIER#{tier}", "SCORE#{score:04}")
//
// A template is a text with literals and parts in braces. A part names an attribute of the entity:
// - {name}: the value of a text, an enum (its spelling), a time or a day (ISO 8601; time_codecs.h)
//   or an integer.
// - {name:04}: an integer, padded with zeros to 4 digits, so that keys sort as the numbers do. The
//   width is from 1 to 20. A negative number is rejected, and so is a number with more digits than
//   the width.
// - {name:unpadded}: an integer without padding in a sort key. Keys then sort 10 before 5. In a
//   sort key {name} is not possible for an integer, because that order is rarely wanted.
// - {name:date}: the day of a time in UTC, 2026-04-15.
// - {name:any}: a text without restrictions. Only the last part of a template can have this form.
// - {name:lower}: a text in lower case, the form of ElectroDB's keys. The text must be ASCII, and may
//   contain the last character of the literal before it. An item keeps the text itself in the
//   attribute. Texts that differ in their case alone have the same key.
//
// The value of a part must not be empty. Except for {name:any}, the value must not contain the
// last character of the literal before the part, nor the first character of the literal after the
// part. These rules make each key unambiguous: different values of the parts never yield the same
// text, except for {name:lower}.
//
// A template has at most 8 pairs of a literal and a part. Two parts need a literal between them.
// All key attributes are strings (S); the table's limits apply: 2048 bytes for a partition key,
// 1024 for a sort key.
//
// The compiler parses the templates, so a mistake in a template is a compile error. If a value
// does not fit, the function that builds the key fails with kValidation.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <string_view>

namespace dolmen {

// A declared key of an entity. PrimaryKey and IndexKey create it, and DefineEntity parses it. All
// views must refer to string literals.
struct KeyDeclaration {
  // The index's name. "" for the primary key.
  std::string_view index = {};

  // The template of the partition key. Must not be empty, except in a local index.
  std::string_view partition = {};

  // The template of the sort key. "" if the table or the index has no sort key.
  std::string_view sort = {};

  // The names of the key attributes. "" means the conventional names: PK and SK in the table, and
  // the index's name with these suffixes in an index (GSI1PK and GSI1SK).
  std::string_view partition_name = {};
  std::string_view sort_name = {};

  // True in a local secondary index, whose partition key is the table's.
  bool is_local = false;

  // Returns the key with other names of the key attributes, for a table that does not use the
  // conventional names. An empty name keeps the conventional name.
  //
  //   PrimaryKey("E#{event}", "S#{seat}").Named("pk", "sk")
  consteval KeyDeclaration Named(std::string_view partition_attribute,
                                 std::string_view sort_attribute = {}) const {
    KeyDeclaration named = *this;
    named.partition_name = partition_attribute;
    named.sort_name = sort_attribute;
    return named;
  }
};

// Declares the entity's key in the table. Each attribute in the templates must be required.
consteval KeyDeclaration PrimaryKey(std::string_view partition, std::string_view sort = {}) {
  return {.partition = partition, .sort = sort};
}

// Declares the entity's key in a global secondary index.
//
// The index is sparse: an item gets the two key attributes only if every attribute in both
// templates is present. Otherwise the item gets neither of them, and a query of the index does not
// find it.
consteval KeyDeclaration IndexKey(std::string_view index, std::string_view partition,
                                  std::string_view sort = {}) {
  return {.index = index, .partition = partition, .sort = sort};
}

// Declares the entity's key in a local secondary index: another order of the items in a partition of
// the table. The conventional name of its sort key is the index's name with the suffix SK. The index
// is sparse: an item without an attribute in the template is not in it.
//
//   LocalIndexKey("LSI1", "PRICE#{price:06}")
//   LocalIndexKey("byDate", "{createdAt}").Named({}, "createdAt")
consteval KeyDeclaration LocalIndexKey(std::string_view index, std::string_view sort) {
  return {.index = index, .sort = sort, .is_local = true};
}

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
