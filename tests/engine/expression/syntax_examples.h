// Helper for tests of the parsers: compares texts with the trees that they parse to.

#pragma once

#include <gmock/gmock.h>

#include <initializer_list>

#include "tests/support/status_matchers.h"

namespace dolmen::engine {

struct SyntaxExample {
  const char* text;
  const char* tree;
};

// Checks that each text parses to its tree.  `parse` returns the tree of a text, in the form of
// SyntaxText (syntax_text.h), as a Result<std::string>.
template <typename Parse>
void ExpectTrees(Parse parse, std::initializer_list<SyntaxExample> examples) {
  for (const SyntaxExample& example : examples) {
    EXPECT_THAT(parse(example.text), test::IsOkAndHolds(example.tree)) << example.text;
  }
}

}  // namespace dolmen::engine
