// filter_eval evaluates a filter of three terms on one stored item of 20 attributes. The item
// fulfils all three terms. A query with a filter does this work for each row that it reads. The
// other stores have no filters, so only Dolmen has this row.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "bench/contender.h"
#include "bench/stored_rows.h"
#include "dolmen/item_view.h"
#include "engine/expression/condition.h"
#include "engine/expression/syntax/parser.h"

namespace dolmen::bench::filter_eval {
namespace {

constexpr std::string_view kFilter = "category = :c AND score >= :s AND contains(tags, :t)";
constexpr std::size_t kAttributes = 20;

// Returns a product as an online shop stores it.
Item Product() {
  return {{"PK", "SHOP#s_0042"},
          {"SK", "PRODUCT#01HQYB3C5V8E2K7M9N4P6R0S1T"},
          {"available", true},
          {"brand", "Fernweh"},
          {"category", "outdoor"},
          {"createdAt", "2024-03-01T09:00:00.000Z"},
          {"currency", "EUR"},
          {"description", "A light tent for two, with room for what they carry."},
          {"dimensions", Map{{"height", 115}, {"length", 225}, {"width", 140}}},
          {"images", List{"tent-front.jpg", "tent-back.jpg"}},
          {"name", "Tent for two"},
          {"price", 24900},
          {"productId", "01HQYB3C5V8E2K7M9N4P6R0S1T"},
          {"score", 87},
          {"sellerId", "u_000042"},
          {"stock", 12},
          {"tags", StringSet{"camping", "light", "summer", "tent"}},
          {"type", "Product"},
          {"updatedAt", "2024-06-01T12:30:00.000Z"},
          {"weightGrams", 2150}};
}

// A filter that Bind parses and binds. The bound filter borrows from other members of the object,
// so the object is not movable.
class Filter {
 public:
  Filter() = default;
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  Status Bind() {
    constexpr auto kKind = ExpressionKind::kFilter;
    auto syntax = engine::ParseCondition(kFilter, kKind);
    if (!syntax.ok()) return syntax.status();
    syntax_ = *std::move(syntax);
    auto placeholders = engine::Placeholders::Make(names_, values_, {{kKind, true}});
    if (!placeholders.ok()) return placeholders.status();
    placeholders_.emplace(*std::move(placeholders));
    auto condition = engine::BindCondition(syntax_, kKind, *placeholders_);
    if (!condition.ok()) return condition.status();
    condition_.emplace(*std::move(condition));
    return {};
  }

  // REQUIRES: Bind() returned success
  Result<bool> Evaluate(const ItemView& item) const { return condition_->Evaluate(item); }

 private:
  Names names_;
  Values values_ = {{":c", "outdoor"}, {":s", 80}, {":t", "summer"}};
  engine::ConditionSyntax syntax_;
  std::optional<engine::Placeholders> placeholders_;
  std::optional<engine::Condition> condition_;
};

class FilterEval : public Contender {
 public:
  std::string name() const override { return "filter_eval/dolmen"; }

  Status Prepare(Stores&) override {
    if (Status bound = filter_.Bind(); !bound.ok()) return bound;
    const Item product = Product();
    if (product.size() != kAttributes)
      return Status::Corruption("the item does not have 20 attributes");
    if (Status checked = Check(product, true); !checked.ok()) return checked;
    const std::array<Item::value_type, 6> changes = {{{"category", "indoor"},
                                                      {"category", 5},
                                                      {"score", 79},
                                                      {"score", "87"},
                                                      {"tags", StringSet{"tent", "winter"}},
                                                      {"tags", "camping"}}};
    for (const auto& [name, value] : changes) {
      Item changed = product;
      changed.insert_or_assign(name, value);
      if (Status checked = Check(changed, false); !checked.ok()) return checked;
      changed.erase(name);
      if (Status checked = Check(changed, false); !checked.ok()) return checked;
    }
    bytes_ = StoredForm(product);
    return {};
  }

  void Time(benchmark::State& state) override {
    const Result<ItemView> item = ItemView::Parse(bytes_);
    for ([[maybe_unused]] auto iteration : state) {
      const Result<bool> meets = filter_.Evaluate(*item);
      if (!meets.ok() || !*meets) {
        state.SkipWithError("the filter returned a wrong result");
        break;
      }
      benchmark::ClobberMemory();  // the compiler must assume that the item has changed
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
  }

 private:
  Status Check(const Item& item, bool expected) const {
    const std::string bytes = StoredForm(item);
    const Result<ItemView> view = ItemView::Parse(bytes);
    if (!view.ok()) return view.status();
    const Result<bool> meets = filter_.Evaluate(*view);
    if (!meets.ok()) return meets.status();
    return *meets == expected
               ? Status()
               : Status::Corruption("the filter returned a wrong result for " + view->ToString());
  }

  Filter filter_;
  std::string bytes_;
};

const Registered<FilterEval> kFilterEval;

}  // namespace
}  // namespace dolmen::bench::filter_eval
