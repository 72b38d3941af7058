// How tests of the parsers give what they read: texts and the trees that become of them.

#pragma once

#include <gmock/gmock.h>

#include <initializer_list>

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

}  // namespace dolmen::engine
