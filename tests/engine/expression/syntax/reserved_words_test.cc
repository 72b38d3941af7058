#include "engine/expression/syntax/reserved_words.h"

#include <gtest/gtest.h>

#include <string>

namespace dolmen::engine {
namespace {

TEST(ReservedWordsTest, TheCountIsTheDocumentedOne) { EXPECT_EQ(kReservedWordCount, 573U); }

TEST(ReservedWordsTest, ReservedWordsAreRecognizedInAnyCase) {
  for (const char* word : {"ABORT", "abort", "Status", "STATUS", "name", "Date", "timestamp", "TTL",
                           "zone", "uuid", "sTaTe", "values", "items", "size", "CURRENT"}) {
    EXPECT_TRUE(IsReservedWord(word)) << word;
  }
}

TEST(ReservedWordsTest, OtherNamesAreNotReserved) {
  for (const char* word : {"", "a", "pk", "sk", "PK", "GSI1PK", "abor", "aborts", "zones", "zz",
                           "status_", "_status", "remove", "contains", "begins_with", "body"}) {
    EXPECT_FALSE(IsReservedWord(word)) << word;
  }
  EXPECT_FALSE(IsReservedWord(std::string(5000, 'A')));
}

TEST(ReservedWordsTest, TwoWordsInOneNameAreNotReserved) {
  EXPECT_FALSE(IsReservedWord("ABORT ABSOLUTE"));
  EXPECT_FALSE(IsReservedWord(" ABORT"));
}

}  // namespace
}  // namespace dolmen::engine
