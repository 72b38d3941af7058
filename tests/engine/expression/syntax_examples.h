// Helper for tests of the parsers. It parses texts and compares the syntax trees with expected
// trees.

#pragma once

#include <gmock/gmock.h>

#include <initializer_list>

#include "tests/support/status_matchers.h"

namespace dolmen::engine {

struct SyntaxExample {
  const char* text;
  const char* tree;
};

// Checks that each text parses to the expected tree. `parse` parses a text and returns the tree in
// the form of SyntaxText (syntax_text.h), as a Result<std::string>.
template <typename Parse>
void ExpectTrees(Parse parse, std::initializer_list<SyntaxExample> examples) {
  for (const SyntaxExample& example : examples) {
    EXPECT_THAT(parse(example.text), test::IsOkAndHolds(example.tree)) << example.text;
  }
}

}  // namespace dolmen::engine
