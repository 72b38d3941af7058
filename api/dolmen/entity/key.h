// Key templates, as on paper:
//
//   PrimaryKey("CONVO#{convoId}", "MSG#{messageId}")
//   IndexKey("GSI1", "TIER#{tier}", "SCORE#{score:04}")
//
// {name} is the attribute of that name: a text, an enum, a time (ISO 8601 with milliseconds) or a
// whole number.  {name:04} pads a number with zeros to four digits, so that keys sort as the
// numbers do; {name:date} is a time's day, 2026-04-15.  A text in a key can't be empty, nor hold
// the character that ends the literal before it or begins the one behind it, so that no value looks
// like another key; {name:any}, the last of its template, may hold anything.
//
// Templates are read when the program is compiled, where a mistake in one is an error.

#pragma once

#include <string_view>

namespace dolmen {

// A key as it is declared.
struct KeyDeclaration {
  std::string_view index = {};  // "" = the table's own
  std::string_view partition = {};
  std::string_view sort = {};  // "" = there is none
  // "" = the convention: PK and SK, and in an index its name and these: GSI1PK and GSI1SK.
  std::string_view partition_name = {};
  std::string_view sort_name = {};

  // The names of the key attributes, where they are other ones.
  consteval KeyDeclaration Named(std::string_view partition_attribute,
                                 std::string_view sort_attribute = {}) const {
    KeyDeclaration named = *this;
    named.partition_name = partition_attribute;
    named.sort_name = sort_attribute;
    return named;
  }
};

// The table's key.
consteval KeyDeclaration PrimaryKey(std::string_view partition, std::string_view sort = {}) {
  return {.partition = partition, .sort = sort};
}

// The key in an index.  An item is in the index only if all that the templates name is present.
consteval KeyDeclaration IndexKey(std::string_view index, std::string_view partition,
                                  std::string_view sort = {}) {
  return {.index = index, .partition = partition, .sort = sort};
}

}  // namespace dolmen
