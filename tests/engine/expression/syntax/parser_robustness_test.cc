// Tests that any text is parsed, bound and evaluated quickly and on a small stack, and that the
// outcome is a result or an error.

#include <gmock/gmock.h>
#include <pthread.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "engine/expression/condition.h"
#include "engine/expression/key_condition.h"
#include "engine/expression/projection.h"
#include "engine/expression/syntax/parser.h"
#include "engine/expression/update.h"
#include "engine/value/utf8.h"
#include "tests/support/items.h"
#include "tests/support/random.h"
#include "tests/support/text.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::Repeat;
using test::StoreItem;

const Item kSmallItem = {
    {"a", 1}, {"b", Map{{"c", List{1, 2, 3}}}}, {"l", List{"x"}}, {"s", "text"}};
const Names kNames = {{"#a", "a"}, {"#n", "b"}};
const Values kNothing;
const Values kSmallValues = {{":a", 1}, {":x", "x"}, {":l", List{1}}, {":s", StringSet{"x"}}};

// Checks that an error is a kValidation, and that its message is UTF-8 and not empty.
void CheckError(const Status& status, std::string_view text) {
  if (status.ok()) return;
  EXPECT_EQ(status.code(), StatusCode::kValidation) << text;
  EXPECT_FALSE(status.message().empty()) << text;
  EXPECT_TRUE(IsUtf8(status.message())) << text;
}

// Parses the text as one kind of expression, binds it and evaluates it.
Status TryCondition(std::string_view text, const ItemView& item) {
  const auto syntax = ParseCondition(text, ExpressionKind::kFilter);
  if (!syntax.ok()) return syntax.status();
  auto placeholders = Placeholders::Make(kNames, kSmallValues, {{ExpressionKind::kFilter, true}});
  const auto terms = BindKeyCondition(*syntax, *placeholders);
  CheckError(terms.ok() ? terms->status : terms.status(), text);
  const auto condition = BindCondition(*syntax, ExpressionKind::kFilter, *placeholders);
  return condition.ok() ? condition->Evaluate(item).status() : condition.status();
}

Status TryProjection(std::string_view text, const ItemView& item) {
  const auto syntax = ParseProjection(text);
  if (!syntax.ok()) return syntax.status();
  auto placeholders = Placeholders::Make(kNames, kNothing, {{ExpressionKind::kProjection, true}});
  const auto projection = BindProjection(*syntax, *placeholders);
  std::string out;
  return projection.ok() ? projection->Apply(item, &out) : projection.status();
}

Status TryUpdate(std::string_view text, const ItemView& item) {
  const auto syntax = ParseUpdate(text);
  if (!syntax.ok()) return syntax.status();
  auto placeholders = Placeholders::Make(kNames, kSmallValues, {{ExpressionKind::kUpdate, true}});
  const auto update = BindUpdate(*syntax, *placeholders);
  std::string out;
  return update.ok() ? update->Apply(item, &out) : update.status();
}

// Parses, binds and evaluates the text as each kind of expression. Returns the number of kinds for
// which this succeeds.
int TryAll(std::string_view text) {
  const StoredItem item = StoreItem(kSmallItem);
  int good = 0;
  for (const auto& attempt : {TryCondition, TryProjection, TryUpdate}) {
    const Status status = attempt(text, item.view());
    CheckError(status, text);
    good += status.ok() ? 1 : 0;
  }
  return good;
}

// Runs `work` on a thread with a stack of 512 KB.
void RunOnSmallStack(std::function<void()> work) {
  constexpr std::size_t kStackBytes = 512 * 1024;
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kStackBytes), 0);
  pthread_t thread;
  const auto run = [](void* f) -> void* {
    (*static_cast<std::function<void()>*>(f))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &work), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

TEST(ParserRobustnessTest, NestingOfAnyDepthFitsASmallStack) {
  const struct {
    const char* before;
    const char* open;
    const char* middle;
    const char* close;
  } shapes[] = {
      {"", "(", "a = :a", ")"},
      {"", "NOT (", "a = :a", ")"},
      {"", "NOT ", "a = :a", ""},
      {"", "a=:a AND (", "a = :a", ")"},
      {"", "(a=:a OR ", "a = :a", ")"},
      {"", "(a=:a OR (", "a = :a", "))"},
      {"", "size(", "a", ")"},
      {"", "size((", "a", "))"},
      {"", "contains(a,", "a", ")"},
      {"a = ", "(", "b", ")"},
      {"a IN ", "(", "b", ")"},
      {"", "(", "a", ").b"},
      {"", "(", "a", ")[0]"},
      {"a", ".a", "", ""},
      {"a", "[0]", "", ""},
      {"SET a = ", "(", "b", ")"},
      {"SET a = ", "if_not_exists(q,", "b.c", ")"},
      {"SET a = ", "list_append(:l,", "l", ")"},
      {"SET a = ", "list_append((", "l", "), l)"},
      {"SET a = ", "f((", "l", "))"},
      {"SET a = b", " + b", "", ""},
      {"REMOVE a", ".a", "", ""},
  };
  RunOnSmallStack([&] {
    for (const auto& shape : shapes) {
      for (const std::size_t depth : {1, 10, 100, 200, 270, 299, 300, 301, 302, 305, 400, 600, 601,
                                      605, 1000, 2000, 4000, 100000}) {
        TryAll(shape.before + Repeat(depth, shape.open) + shape.middle +
               Repeat(depth, shape.close));
        TryAll(shape.before + Repeat(depth, shape.open));  // without the closing parts
      }
    }
  });
}

TEST(ParserRobustnessTest, TheDeepestExpressionsAreBoundAndEvaluated) {
  RunOnSmallStack([] {
    const StoredItem item = StoreItem(kSmallItem);
    const std::string condition = Repeat(298, "NOT (") + "size((a)) = :a" + Repeat(298, ")");
    EXPECT_THAT(TryCondition(condition, item.view()), IsOk());
    const std::string update = "SET a=" + Repeat(230, "if_not_exists(x,") + "l" + Repeat(230, ")");
    EXPECT_THAT(TryUpdate(update, item.view()), IsOk());
  });
}

TEST(ParserRobustnessTest, AMegabyteIsRejectedQuickly) {
  const auto start = std::chrono::steady_clock::now();
  for (const char* text : {"(", "a", " ", "a.", "a,", "NOT ", "\xFF", ":", "\"", "a = :a AND "}) {
    EXPECT_EQ(TryAll(Repeat((std::size_t{1} << 20) / std::string_view(text).size(), text)), 0);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

// Texts of the maximum length that need the most work per byte.
TEST(ParserRobustnessTest, FullLengthTextsTakeBoundedTime) {
  const auto start = std::chrono::steady_clock::now();
  std::string paths = "a";
  for (int i = 0; paths.size() < 4080; ++i) paths += ",x" + std::to_string(i);
  TryAll(paths);
  TryAll(paths + ",x5");
  TryAll("REMOVE " + paths);
  for (const char* text :
       {"(", ")", "a,", "a ", "1", "=", "#a,", ":x,", "a.", "[", "status,", "\xFF"}) {
    TryAll(Repeat(4096 / std::string_view(text).size(), text));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

const std::vector<std::string> kValid = {
    "a = :a",
    "(a = :a AND NOT #n.c[1] <> :x) OR (size(s) > :a)",
    "a BETWEEN :a AND :a AND s IN (:x, :l, b.c[0])",
    "attribute_exists(a) AND attribute_not_exists(b.x) AND begins_with(s, :x) OR contains(s, :x)",
    "((a).b[0]).c = :a",
    "a, #n.c[1], s",
    "SET a = a + :a, #n.c[7] = list_append(if_not_exists(q, :l), l) REMOVE s ADD z :a DELETE y :s",
    "SET a = (:a - (a)), s = if_not_exists(s, :x)",
};

TEST(ParserRobustnessTest, EachValidExpressionIsOfExactlyOneKind) {
  for (const std::string& text : kValid) EXPECT_EQ(TryAll(text), 1) << text;
}

TEST(ParserRobustnessTest, PrefixesAndSuffixesGiveAResultOrAnError) {
  for (const std::string& text : kValid) {
    for (std::size_t i = 0; i <= text.size(); ++i) {
      TryAll(text.substr(0, i));
      TryAll(text.substr(i));
    }
  }
}

TEST(ParserRobustnessTest, SingleChangesGiveAResultOrAnError) {
  for (const std::string& text : kValid) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      for (const char c : std::string_view("( )[].,:#=<+a0\0\xC3\"", 17)) {
        std::string changed = text;
        changed[i] = c;
        TryAll(changed);
        TryAll(text.substr(0, i) + c + text.substr(i));
      }
      TryAll(text.substr(0, i) + text.substr(i + 1));
    }
  }
}

class ParserRandomTest : public test::SeededTest {};

TEST_F(ParserRandomTest, RandomTokensGiveAResultOrAnError) {
  const std::vector<std::string> tokens = {"a",
                                           "b",
                                           "s",
                                           "l",
                                           "#a",
                                           "#n",
                                           ":a",
                                           ":x",
                                           ":l",
                                           ":s",
                                           "=",
                                           "<>",
                                           "<",
                                           "<=",
                                           ">",
                                           ">=",
                                           "(",
                                           ")",
                                           "(",
                                           ")",
                                           "[0]",
                                           "[",
                                           "]",
                                           ",",
                                           ".",
                                           "+",
                                           "-",
                                           "AND",
                                           "OR",
                                           "NOT",
                                           "IN",
                                           "BETWEEN",
                                           "SET",
                                           "ADD",
                                           "REMOVE",
                                           "DELETE",
                                           "size(",
                                           "0",
                                           "1",
                                           "contains(",
                                           "begins_with(",
                                           "attribute_exists(",
                                           "foo(",
                                           "status",
                                           "if_not_exists(",
                                           "list_append(",
                                           "$",
                                           "\xFF",
                                           "é",
                                           " "};
  for (std::size_t i = 0; i < test::TestSteps(30'000); ++i) {
    std::string text = i % 3 == 0 ? "SET a = " : "";
    for (std::size_t count = random_.Below(12); count > 0; --count) {
      text += random_.Pick(tokens);
      text += random_.OneIn(4) ? "" : " ";
    }
    TryAll(text);
  }
}

TEST_F(ParserRandomTest, RandomBytesGiveAResultOrAnError) {
  for (std::size_t i = 0; i < test::TestSteps(10'000); ++i) {
    std::string text;
    for (std::size_t count = random_.Below(40); count > 0; --count) {
      text += static_cast<char>(random_.Below(256));
    }
    TryAll(text);
  }
}

}  // namespace
}  // namespace dolmen::engine
