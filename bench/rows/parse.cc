// parse and parse_update turn the text, names and values of an expression into a bound expression.
// Every request with an expression does this before it reads an item. The row "dolmen" measures the
// whole work. Two more rows measure requests that do not parse the text. In the row
// dolmen_remembered, the syntax cache already holds the text's syntax tree. In the row
// dolmen_built, a builder creates the syntax tree.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bench/contender.h"
#include "bench/stored_rows.h"
#include "dolmen/condition_builder.h"
#include "dolmen/item_view.h"
#include "engine/expression/condition.h"
#include "engine/expression/syntax/parser.h"
#include "engine/expression/syntax/syntax_cache.h"
#include "engine/expression/update.h"

namespace dolmen::bench::parse {
namespace {

using engine::Placeholders;

struct Request {
  std::string_view text;
  Names names;
  Values values;
};

enum class Way : std::uint8_t { kParsed, kRemembered, kBuilt };

// The condition of a write that must not replace a newer version of an item.
template <Way kWay>
class ParseCondition {
 public:
  static constexpr const char* kName = kWay == Way::kParsed       ? "parse/dolmen"
                                       : kWay == Way::kRemembered ? "parse/dolmen_remembered"
                                                                  : "parse/dolmen_built";

  // Binds the condition and calls `use` with the bound condition.
  template <typename Use>
  Status Bind(Use use) const {
    constexpr auto kKind = ExpressionKind::kCondition;
    const auto tree = Tree();
    if (!tree.ok()) return tree.status();
    auto placeholders = Placeholders::Make(request_.names, request_.values, {{kKind, true}});
    if (!placeholders.ok()) return placeholders.status();
    const auto condition = engine::BindCondition(**tree, kKind, *placeholders);
    if (!condition.ok()) return condition.status();
    if (Status used = placeholders->CheckAllUsed(); !used.ok()) return used;
    return use(*condition);
  }

  Status Check() const {
    struct Example {
      Item item;
      bool expected;
    };
    const std::array<Example, 5> examples = {
        {{{}, true},
         {{{"PK", "a"}, {"version", 6}, {"status", "DRAFT#2"}}, true},
         {{{"PK", "a"}, {"version", 7}, {"status", "DRAFT#2"}}, false},
         {{{"PK", "a"}, {"version", 6}, {"status", "SENT"}}, false},
         {{{"PK", "a"}}, false}}};
    for (const auto& [item, expected] : examples) {
      const std::string bytes = StoredForm(item);
      Status checked = Bind([&, right = expected](const engine::Condition& condition) {
        const Result<bool> holds = condition.Evaluate(*ItemView::Parse(bytes));
        if (!holds.ok()) return holds.status();
        return *holds == right ? Status()
                               : Status::Corruption("the bound condition returned a wrong result");
      });
      if (!checked.ok()) return checked;
    }
    return {};
  }

 private:
  SyntaxTree<engine::ConditionSyntax> Tree() const {
    if constexpr (kWay == Way::kParsed) {
      auto syntax = engine::ParseCondition(request_.text, ExpressionKind::kCondition);
      if (!syntax.ok()) return syntax.status();
      return std::make_shared<const engine::ConditionSyntax>(*std::move(syntax));
    } else if constexpr (kWay == Way::kRemembered) {
      return engine::GetSyntaxTree(ConditionExpression(request_.text));
    } else {
      return engine::GetSyntaxTree(
          ConditionExpression(AttributeNotExists("PK") ||
                              (Attr("version") < 7 && Attr("status").BeginsWith("DRAFT#"))));
    }
  }

  Request request_ = kWay == Way::kBuilt ? Request()
                                         : Request{.text =
                                                       "attribute_not_exists(PK) OR "
                                                       "(version < :v AND begins_with(#s, :p))",
                                                   .names = {{"#s", "status"}},
                                                   .values = {{":p", "DRAFT#"}, {":v", 7}}};
};

// An update that changes a counter, a text and a list, and removes a flag.
class ParseUpdate {
 public:
  static constexpr const char* kName = "parse_update/dolmen";

  // Binds the update and calls `use` with the bound update.
  template <typename Use>
  Status Bind(Use use) const {
    constexpr auto kKind = ExpressionKind::kUpdate;
    const auto syntax = engine::ParseUpdate(request_.text);
    if (!syntax.ok()) return syntax.status();
    auto placeholders = Placeholders::Make(request_.names, request_.values, {{kKind, true}});
    if (!placeholders.ok()) return placeholders.status();
    const auto update = engine::BindUpdate(*syntax, *placeholders);
    if (!update.ok()) return update.status();
    if (Status used = placeholders->CheckAllUsed(); !used.ok()) return used;
    return use(*update);
  }

  Status Check() const {
    const Item before = {{"PK", "a"}, {"draft", true}, {"entries", List{1}}, {"version", 6}};
    const Item after = {
        {"PK", "a"}, {"entries", List{1, "sent"}}, {"status", "SENT"}, {"version", 7}};
    const std::string bytes = StoredForm(before);
    return Bind([&](const engine::Update& update) {
      std::string changed;
      Status applied = update.Apply(*ItemView::Parse(bytes), &changed);
      if (!applied.ok()) return applied;
      return changed == StoredForm(after)
                 ? Status()
                 : Status::Corruption("the bound update produced a wrong item");
    });
  }

 private:
  Request request_ = {
      .text =
          "SET version = version + :one, #s = :s, "
          "entries = list_append(if_not_exists(entries, :none), :entry) REMOVE draft",
      .names = {{"#s", "status"}},
      .values = {{":entry", List{"sent"}}, {":none", List{}}, {":one", 1}, {":s", "SENT"}}};
};

template <typename Parse>
class ParseContender : public Contender {
 public:
  std::string name() const override { return Parse::kName; }

  Status Prepare(Stores&) override { return parse_.Check(); }

  void Time(benchmark::State& state) override {
    for ([[maybe_unused]] auto iteration : state) {
      const Status bound = parse_.Bind([](const auto& expression) {
        benchmark::DoNotOptimize(&expression);
        return Status();
      });
      if (!bound.ok()) {
        state.SkipWithError(bound.ToString().c_str());
        break;
      }
      benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
  }

 private:
  Parse parse_;
};

const Registered<ParseContender<ParseCondition<Way::kParsed>>> kParsed;
const Registered<ParseContender<ParseCondition<Way::kRemembered>>> kRemembered;
const Registered<ParseContender<ParseCondition<Way::kBuilt>>> kBuilt;
const Registered<ParseContender<ParseUpdate>> kParseUpdate;

}  // namespace
}  // namespace dolmen::bench::parse
