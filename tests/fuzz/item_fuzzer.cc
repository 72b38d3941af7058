// Fuzzes every kind of read of stored items, most of which are damaged. Also fuzzes encoded keys.
//
// Input: a byte and the rest. The byte modulo 3 selects the meaning of the rest.
// - 0: a whole stored item.
// - 1: the attributes of an item. The target adds a header with the right size. Random changes
//   would hardly ever match the size, because it is a sum over the attributes.
// - 2: the parts of keys (keys.h).

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/expression/condition.h"
#include "engine/expression/projection.h"
#include "engine/expression/syntax/parser.h"
#include "engine/expression/update.h"
#include "engine/key/key_schema.h"
#include "engine/value/bytes.h"
#include "engine/value/codec.h"
#include "engine/value/item_form.h"
#include "tests/fuzz/keys.h"
#include "tests/fuzz/require.h"

namespace dolmen::fuzz {
namespace {

using engine::Placeholders;

constexpr const char* kConditions[] = {
    "attribute_exists(a) AND attribute_not_exists(b.a)",
    "a = :n OR b < :s OR c >= :b OR l = :l",
    "a BETWEEN :n AND :n OR a IN (b, c, :s)",
    "contains(l, :s) OR contains(s, :s) OR contains(m.a, :n) OR contains(a, b)",
    "begins_with(s, :s) OR begins_with(b, a)",
    "size(a) > :n OR size(l) = size(m) OR size(b) < :n",
    "attribute_type(a, :s) OR attribute_type(l[1], :s) OR l[0].a[1] <> m.b.c",
};
constexpr const char* kProjections[] = {"a, b, l", "l[0], l[2].a, m.a, m.b[1], s", "b.a.b.a"};
constexpr const char* kUpdates[] = {
    "SET a = if_not_exists(b, :n) + :n, l[1] = :s REMOVE m.a, l[0]",
    "SET l = list_append(l, :l), c = m ADD a :n",
    "ADD s :ss DELETE b :ss",
};

// Owns the syntax trees and values that the bound expressions refer to.
using Owners = std::vector<std::shared_ptr<void>>;

template <typename Bound, typename Syntax>
void Keep(Result<Syntax> syntax, ExpressionKind kind, const Values& values, auto bind,
          Owners* owners, std::vector<Bound>* kept) {
  static const Names no_names;
  static const Values no_values;
  Require(syntax.ok(), syntax.status().ToString());
  const bool has_values = kind != ExpressionKind::kProjection;
  auto placeholders = Placeholders::Make(no_names, has_values ? values : no_values, {{kind, true}});
  Require(placeholders.ok(), placeholders.status().ToString());
  const auto owner = std::make_shared<std::pair<Syntax, Placeholders>>(*std::move(syntax),  //
                                                                       *std::move(placeholders));
  owners->push_back(owner);
  Result<Bound> bound = bind(owner->first, owner->second);
  Require(bound.ok(), bound.status().ToString());
  kept->push_back(*std::move(bound));
}

struct Expressions {
  Values values = {
      {":n", 1}, {":s", "S"}, {":b", Binary{"x"}}, {":l", List{1, "x"}}, {":ss", StringSet{"x"}}};
  Owners owners;
  std::vector<engine::Condition> conditions;
  std::vector<engine::Projection> projections;
  std::vector<engine::Update> updates;

  Expressions() {
    for (const char* text : kConditions) {
      constexpr auto kKind = ExpressionKind::kFilter;
      Keep(
          engine::ParseCondition(text, kKind), kKind, values,
          [](auto& syntax, auto& with) { return engine::BindCondition(syntax, kKind, with); },
          &owners, &conditions);
    }
    for (const char* text : kProjections) {
      Keep(
          engine::ParseProjection(text), ExpressionKind::kProjection, values,
          [](auto& syntax, auto& with) { return engine::BindProjection(syntax, with); }, &owners,
          &projections);
    }
    for (const char* text : kUpdates) {
      Keep(
          engine::ParseUpdate(text), ExpressionKind::kUpdate, values,
          [](auto& syntax, auto& with) { return engine::BindUpdate(syntax, with); }, &owners,
          &updates);
    }
  }
};

const Expressions& TheExpressions() {
  static const Expressions expressions;
  return expressions;
}

// Reads the value in every way, nested values included. Stops at depth 100, because damaged bytes
// may nest without limit.
void Walk(const AttributeView& value, int depth) {
  if (!value.exists() || depth > 100) return;
  Require(value == value, "a value equals itself");
  (void)value.AsString();
  (void)value.AsBinary();
  (void)value.AsInt64();
  (void)value.AsBool();
  (void)value["a"]["b"];
  (void)value[1][0];
  for (const auto [name, element] : value.AsMap()) Walk(element, depth + 1);
  for (const AttributeView element : value.AsList()) Walk(element, depth + 1);
  for (const AttributeView member : value.AsSet()) Walk(member, depth + 1);
}

// Checks one value. Returns true if the value is not damaged.
bool TryValue(const AttributeView& value) {
  (void)engine::SizeOf(value);
  (void)value.ToString();
  const Status sound = value.Check();
  const Result<AttributeValue> copy = value.Copy();
  RequireShowable(sound, StatusCode::kCorruption);
  Require(copy.ok() == sound.ok(), "a value can be copied if and only if it is sound");
  if (!copy.ok()) return false;
  std::string bytes;
  const Status encoded = engine::EncodeValue(*copy, &bytes);
  RequireShowable(encoded, StatusCode::kValidation);  // the value may be nested too deeply
  Require(!encoded.ok() || bytes == value.payload(), "equal values have equal bytes");
  return true;
}

void TryAttributes(const ItemView& item) {
  bool all_sound = true;
  std::size_t count = 0;
  for (const auto [name, value] : item) {
    Walk(value, 0);
    all_sound = TryValue(value) && all_sound;
    ++count;
  }
  if (!item.Check().ok()) return;
  Require(all_sound && count == item.attributes().size(), "a sound item has sound attributes");
  for (const auto [name, value] : item) {
    if (count-- > 50) continue;  // a look-up takes time in proportion to the attributes
    Require(item[name] == value, "an attribute is found by its name");
  }
}

// Copies the stored item and encodes the copy. Returns true if both succeed, so a write can store
// the copy. In this case checks that the encoded bytes equal the bytes of the stored item.
bool IsStorable(const ItemView& item) {
  const Status sound = item.Check();
  const Result<Item> copy = item.Copy();
  RequireShowable(sound, StatusCode::kCorruption);
  Require(copy.ok() == sound.ok(), "an item can be copied if and only if it is sound");
  if (!copy.ok()) return false;
  std::string bytes;
  const Status encoded = engine::EncodeItem(*copy, &bytes);
  RequireShowable(encoded, StatusCode::kValidation);  // too deep, or an empty name
  if (!encoded.ok()) return false;
  Require(bytes == item.bytes(), "equal items have equal bytes");
  const auto stored = StoredItem::FromBytes(bytes);
  Require(stored.ok() && stored->ToString() == item.ToString(), "equal items have equal texts");
  return true;
}

void RequireOutcome(const Status& outcome, bool storable) {
  if (outcome.ok()) return;
  RequireShowable(outcome, StatusCode::kCorruption);
  Require(!storable, "an item that a write can store is not damaged");
}

void Evaluate(const ItemView& item, bool storable) {
  for (const engine::Condition& condition : TheExpressions().conditions) {
    const Result<bool> holds = condition.Evaluate(item);
    RequireOutcome(holds.status(), storable);
    const Result<bool> again = condition.Evaluate(item);
    Require(again.ok() == holds.ok() && (!holds.ok() || *again == *holds),
            "a condition gives the same result twice");
  }
  for (const engine::Projection& projection : TheExpressions().projections) {
    std::string bytes = "before";
    const Status projected = projection.Apply(item, &bytes);
    RequireOutcome(projected, storable);
    Require(projected.ok() || bytes == "before", "a failed projection does not change its output");
    const Result<ItemView> part = ItemView::Parse(std::string_view(bytes).substr(6));
    Require(part.ok() == projected.ok(),
            "a projection succeeds if and only if its output is an item");
    Require(!storable || part->Check().ok(), "the projection of a sound item is sound");
  }
}

void Update(const ItemView& item, bool storable) {
  for (const engine::Update& update : TheExpressions().updates) {
    std::string bytes = "before";
    const Status updated = update.Apply(item, &bytes);
    const bool damaged = !storable && updated.code() == StatusCode::kCorruption;
    RequireShowable(updated, damaged ? StatusCode::kCorruption : StatusCode::kValidation);
    Require(updated.ok() || bytes == "before", "a failed update does not change its output");
    if (!updated.ok() || !storable) continue;
    Require(ItemView::Parse(std::string_view(bytes).substr(6))->Check().ok(),
            "an updated item is sound");
  }
}

void FindKeys(const ItemView& item) {
  for (const AttributeType type : {AttributeType::kS, AttributeType::kN, AttributeType::kB}) {
    const engine::KeySchema schema{{.name = "a"}, KeyAttribute{.name = "b", .type = type}};
    const auto of_stored = engine::KeyOfStoredItem(schema, item);
    const Result<engine::KeyBytes> of_new =
        engine::KeyOfNewItem(schema, item, engine::PutBy::kPutItem);
    RequireShowable(of_new.status(), StatusCode::kValidation);
    if (of_new.ok()) Require(of_stored.has_value(), "a key that can be written can be read");
  }
}

void TryItem(std::string_view bytes) {
  const Result<ItemView> item = ItemView::Parse(bytes);
  const Result<StoredItem> stored = StoredItem::FromBytes(std::string(bytes));
  Require(item.ok() == stored.ok(), "ItemView and StoredItem refuse the same bytes");
  if (!item.ok()) {
    const bool newer = item.status().code() == StatusCode::kUnsupportedFormat;
    Require(newer == (!bytes.empty() && bytes[0] != engine::kItemFormat),
            "kUnsupportedFormat means another format byte");
    Require(newer || item.status().code() == StatusCode::kCorruption,
            "other errors are kCorruption");
    return;
  }
  Require(stored->view().bytes() == bytes && stored->ToString() == item->ToString(),
          "ItemView and StoredItem agree");
  (void)item->size_bytes();
  TryAttributes(*item);
  const bool storable = IsStorable(*item);
  Evaluate(*item, storable);
  FindKeys(*item);
  Update(*item, storable);
}

void TryPayload(std::string_view payload) {
  std::string bytes(engine::kItemHeaderBytes, engine::kItemFormat);
  engine::WriteLittleEndian32(engine::SizeOf(MapView(payload)),
                              bytes.data() + engine::kItemSizeOffset);
  TryItem(bytes.append(payload));
}

}  // namespace
}  // namespace dolmen::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 3) {
    case 0:
      dolmen::fuzz::TryItem(input);
      break;
    case 1:
      dolmen::fuzz::TryPayload(input);
      break;
    default:
      dolmen::fuzz::TryKeys(input);
  }
  return 0;
}
