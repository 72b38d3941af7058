// How tests of the parsers give what they read: texts and the trees that become of them.

#pragma once

#include <gmock/gmock.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "tests/support/status_matchers.h"

namespace dolmen::engine {

struct SyntaxExample {
  const char* text;
  const char* tree;
};

// `parse` makes a Result<std::string>, the tree, of a text.
template <typename Parse>
void ExpectTrees(Parse parse, std::initializer_list<SyntaxExample> examples) {
  for (const SyntaxExample& example : examples) {
    EXPECT_THAT(parse(example.text), test::IsOkAndHolds(example.tree)) << example.text;
  }
}

inline std::string Repeat(std::size_t count, std::string_view text) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

}  // namespace dolmen::engine
