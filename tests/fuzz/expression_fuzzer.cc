// Fuzzes expressions: parses a text, binds it and applies it to an item.
//
// Input: the first byte selects the kind of the expression and one of two forms for the other
// bytes.
// - Text: the other bytes are the text of the expression.
// - Words: each of the other bytes selects a word from the list in expression_input.cc. If one byte
//   changes, the expression usually stays valid.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/expression/condition.h"
#include "engine/expression/key_condition.h"
#include "engine/expression/projection.h"
#include "engine/expression/syntax/lexer.h"
#include "engine/expression/syntax/parser.h"
#include "engine/expression/update.h"
#include "engine/value/codec.h"
#include "tests/fuzz/expression_input.h"
#include "tests/fuzz/require.h"

namespace dolmen::fuzz {
namespace {

using engine::Placeholders;

constexpr auto kRefused = StatusCode::kValidation;

void RequireTokensCoverText(std::string_view text) {
  const engine::Tokens tokens = engine::Tokenize(text);
  std::size_t end = 0;
  for (const engine::Token& token : tokens) {
    const auto start = static_cast<std::size_t>(token.text.data() - text.data());
    Require(start >= end && start + token.text.size() <= text.size(),
            "tokens lie in the text in order");
    Require(text.substr(end, start - end).find_first_not_of(" \t\r\n") == text.npos,
            "only space separates tokens");
    Require(token.text.empty() == (token.kind == engine::TokenKind::kEnd),
            "only the end token is empty");
    end = start + token.text.size();
  }
  Require(end == text.size() || tokens.size() == 1, "tokens reach to the end of the text");
  Require(engine::IsUtf8(engine::Printable(text)), "the printable form of a text is UTF-8");
}

// Checks that the bound expression uses all placeholders. All placeholders come from the text of
// the expression, so none may be unused.
void RequireAllUsed(const Placeholders& placeholders) {
  Require(placeholders.CheckAllUsed().ok(), "an expression uses all its placeholders");
}

std::optional<bool> EvaluateOn(const engine::Condition& condition, const ItemView& item) {
  const Result<bool> holds = condition.Evaluate(item);
  Require(holds.ok(), "a sound item can be tested");
  const Result<bool> again = condition.Evaluate(item);
  Require(again.ok() && *again == *holds, "testing an item twice gives the same");
  return *holds;
}

// Returns the result of the condition for TheItem(), or an empty optional if Dolmen rejects the
// condition.
std::optional<bool> TryCondition(std::string_view text, ExpressionKind kind) {
  const auto syntax = engine::ParseCondition(text, kind);
  RequireShowable(syntax.status(), kRefused);
  if (!syntax.ok()) return std::nullopt;
  const Request request = RequestOf(text);
  auto placeholders = Placeholders::Make(request.names, request.values, {{kind, true}});
  RequireShowable(placeholders.status(), kRefused);
  if (!placeholders.ok()) return std::nullopt;
  const auto condition = engine::BindCondition(*syntax, kind, *placeholders);
  RequireShowable(condition.status(), kRefused);
  if (!condition.ok()) return std::nullopt;
  RequireAllUsed(*placeholders);
  constexpr std::array<std::string_view, 2> kKeys = {"PK", "SK"};
  RequireShowable(engine::CheckQueryFilter(*condition, kKeys, false), kRefused);
  EvaluateOn(*condition, ItemView());
  return EvaluateOn(*condition, TheStoredItem().view());
}

void TryConditionAndItsOpposite(std::string_view text, ExpressionKind kind) {
  const std::optional<bool> holds = TryCondition(text, kind);
  if (!holds) return;
  // TheItem() has the attributes PK and `a`. Therefore attribute_not_exists(PK) is false,
  // attribute_exists(a) is true, and the whole condition is the negation of `text`. Binding may
  // refuse the negation, because the negation is longer and has more operators and parentheses than
  // `text`.
  const std::optional<bool> opposite = TryCondition(
      "NOT (attribute_not_exists(PK) OR (" + std::string(text) + ") AND attribute_exists(a))",
      kind);
  Require(!opposite || *opposite != *holds, "a condition or its opposite holds");
}

void TryKeyCondition(std::string_view text) {
  constexpr ExpressionKind kKind = ExpressionKind::kKeyCondition;
  const auto syntax = engine::ParseCondition(text, kKind);
  RequireShowable(syntax.status(), kRefused);
  if (!syntax.ok()) return;
  const Request request = RequestOf(text);
  auto placeholders = Placeholders::Make(request.names, request.values, {{kKind, true}});
  RequireShowable(placeholders.status(), kRefused);
  if (!placeholders.ok()) return;
  const auto terms = engine::BindKeyCondition(*syntax, *placeholders);
  RequireShowable(terms.status(), kRefused);
  if (!terms.ok()) return;
  RequireAllUsed(*placeholders);
  RequireShowable(terms->status, kRefused);
  for (const engine::KeyTerm& term : terms->terms) {
    const bool between = term.op == SortKeyCondition::Operator::kBetween;
    Require(term.value.exists() && term.upper.exists() == between, "a term has its values");
    RequireShowable(engine::CheckSortCondition(term), kRefused);
  }
  for (const AttributeType type : {AttributeType::kS, AttributeType::kN, AttributeType::kB}) {
    const engine::KeySchema keys{{.name = "PK"}, KeyAttribute{"SK", type}};
    const auto range = engine::ResolveKeyCondition(*terms, keys);
    RequireShowable(range.status(), kRefused);
    if (range.ok()) Require(range->equal.size() == 1, "the partition key equals something");
  }
}

bool HasIndex(const engine::DocumentPath& path) {
  for (const engine::PathStep& step : path.nested()) {
    if (step.is_index()) return true;
  }
  return false;
}

std::string Project(const engine::Projection& projection, const ItemView& item) {
  std::string bytes;
  Require(projection.Apply(item, &bytes).ok(), "a sound item can be projected");
  const Result<ItemView> part = ItemView::Parse(bytes);
  Require(part.ok() && part->Check().ok(), "a projection is an item");
  for (const engine::DocumentPath& path : projection.paths()) {
    if (HasIndex(path)) continue;  // a projected list has no gaps, so indexes differ
    Require(path.Find(*part) == path.Find(item), "a projection keeps each requested value");
  }
  return bytes;
}

void TryProjection(std::string_view text) {
  const auto syntax = engine::ParseProjection(text);
  RequireShowable(syntax.status(), kRefused);
  if (!syntax.ok()) return;
  Request request = RequestOf(text);
  Require(request.values.empty(), "a projection has no values");
  auto placeholders =
      Placeholders::Make(request.names, request.values, {{ExpressionKind::kProjection, true}});
  RequireShowable(placeholders.status(), kRefused);
  if (!placeholders.ok()) return;
  const auto projection = engine::BindProjection(*syntax, *placeholders);
  RequireShowable(projection.status(), kRefused);
  if (!projection.ok()) return;
  RequireAllUsed(*placeholders);
  constexpr std::array<std::string_view, 2> kKeys = {"PK", "SK"};
  RequireShowable(engine::CheckKeysAreScalars(projection->paths(), kKeys, false), kRefused);
  const std::string part = Project(*projection, TheStoredItem().view());
  Require(Project(*projection, TheStoredItem().view()) == part,
          "projecting an item twice gives the same");
  Project(*projection, ItemView());
}

// Returns the stored form of the updated item, or nothing if the update is refused.
std::optional<StoredItem> UpdateOf(const engine::Update& update, const ItemView& old) {
  std::string bytes;
  const Status updated = update.Apply(old, &bytes);
  RequireShowable(updated, kRefused);
  if (!updated.ok()) return std::nullopt;
  Result<StoredItem> item = StoredItem::FromBytes(std::move(bytes));
  Require(item.ok() && item->view().Check().ok(), "an updated item is an item");
  const Result<Item> copy = item->Copy();
  std::string encoded;
  Require(copy.ok() && engine::EncodeItem(*copy, &encoded).ok(), "an updated item can be stored");
  Require(encoded == item->view().bytes(), "an updated item has the bytes of its copy");
  return *std::move(item);
}

void RequireTouchesOnlyTargets(const engine::Update& update, const ItemView& before,
                               const ItemView& after) {
  for (const auto [name, value] : before) {
    Require(update.Touches(name) || after[name] == value,
            "an update keeps attributes that it does not name");
  }
  for (const auto [name, value] : after) {
    Require(update.Touches(name) || before[name] == value,
            "an update adds only attributes that it names");
  }
  for (const engine::DocumentPath& target : update.targets()) {
    const AttributeView assigned = update.AssignedValue(target.attribute());
    Require(!assigned || after[target.attribute()] == assigned, "an assigned value is in the item");
  }
  Project(update.TouchedParts(), before);
  Project(update.TouchedParts(), after);
}

void TryUpdateOn(const engine::Update& update, const ItemView& old) {
  const std::optional<StoredItem> after = UpdateOf(update, old);
  const std::optional<StoredItem> again = UpdateOf(update, old);
  Require(after.has_value() == again.has_value(), "an update is refused both times or never");
  if (!after) return;
  Require(after->view().bytes() == again->view().bytes(), "updating twice gives the same");
  RequireTouchesOnlyTargets(update, old, after->view());
}

void TryUpdate(std::string_view text) {
  const auto syntax = engine::ParseUpdate(text);
  RequireShowable(syntax.status(), kRefused);
  if (!syntax.ok()) return;
  const Request request = RequestOf(text);
  auto placeholders =
      Placeholders::Make(request.names, request.values, {{ExpressionKind::kUpdate, true}});
  RequireShowable(placeholders.status(), kRefused);
  if (!placeholders.ok()) return;
  const auto update = engine::BindUpdate(*syntax, *placeholders);
  RequireShowable(update.status(), kRefused);
  if (!update.ok()) return;
  RequireAllUsed(*placeholders);
  constexpr std::array<std::string_view, 2> kKeys = {"PK", "SK"};
  const Status leaves_key = update->CheckKeyUnchanged(kKeys);
  RequireShowable(leaves_key, kRefused);
  TryUpdateOn(*update, TheStoredItem().view());
  // Tests the creation of an item by the update: the new item has only its key before the update
  // changes it. This test is only for updates that do not change the key.
  if (!leaves_key.ok()) return;
  std::string key;
  Require(engine::EncodeItem({{"PK", "USER#1"}, {"SK", "PROFILE"}}, &key).ok(),
          "a key can be stored");
  TryUpdateOn(*update, *ItemView::Parse(key));
}

void Try(ExpressionKind kind, std::string_view text) {
  RequireTokensCoverText(text);
  switch (kind) {
    case ExpressionKind::kUpdate:
      return TryUpdate(text);
    case ExpressionKind::kCondition:
    case ExpressionKind::kFilter:
      return TryConditionAndItsOpposite(text, kind);
    case ExpressionKind::kKeyCondition:
      return TryKeyCondition(text);
    case ExpressionKind::kProjection:
      return TryProjection(text);
  }
}

}  // namespace
}  // namespace dolmen::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr int kKinds = 5;
  const auto kind = static_cast<dolmen::ExpressionKind>(data[0] % kKinds);
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const bool words = data[0] / kKinds % 2 == 1;
  dolmen::fuzz::Try(kind, words ? dolmen::fuzz::Spell(input) : std::string(input));
  return 0;
}
