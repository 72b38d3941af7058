// The input of the expression fuzzer: texts of words, the placeholders that a text defines, and an
// item to apply an expression to.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"
#include "dolmen/operations.h"

namespace dolmen::fuzz {

// Returns the expression that `input` spells with one byte for each word.
std::string Spell(std::string_view input);

// The placeholders of an expression.
struct Request {
  Names names;
  Values values;
};

// Returns the placeholders that the text defines. "#name" stands for the attribute `name`. ":n1"
// stands for a number; expression_input.cc lists the letters. Placeholders that begin with `u` are
// not defined.
Request RequestOf(std::string_view text);

// Returns an item with values of every type.
const Item& TheItem();

// Returns the stored form of TheItem().
const StoredItem& TheStoredItem();

}  // namespace dolmen::fuzz
