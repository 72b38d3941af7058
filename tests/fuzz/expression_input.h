// The input of the expression fuzzer: expressions made of words, the names and values of their
// placeholders, and an item to which an expression is applied.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"
#include "dolmen/operations.h"

namespace dolmen::fuzz {

// Returns an expression. Each byte of `input` selects its next word from a list of 64 words.
std::string Spell(std::string_view input);

// The names and values of an expression's placeholders.
struct Request {
  Names names;
  Values values;
};

// Returns the names and values of the placeholders in the text. "#name" is the attribute `name`,
// and ":n1" is a number; expression_input.cc lists the letters of all types. Placeholders that
// begin with `u` stay undefined.
Request RequestOf(std::string_view text);

// Returns an item with values of every type.
const Item& TheItem();

// Returns the stored form of TheItem().
const StoredItem& TheStoredItem();

}  // namespace dolmen::fuzz
