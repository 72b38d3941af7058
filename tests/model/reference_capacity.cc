#include "tests/model/reference_capacity.h"

#include <algorithm>
#include <sstream>
#include <type_traits>

#include "tests/model/reference_table.h"

namespace dolmen::test {
namespace {

// Returns a number's size: one byte, one byte for each pair of digits, and one byte for a negative
// sign. The pairs of digits start at the decimal point.
std::size_t SizeOf(const Number& number) {
  std::string digits = number.ToString();
  const std::size_t sign = digits.starts_with('-') ? 1 : 0;
  digits.erase(0, sign);
  if (digits == "0") return 1;
  const std::size_t exponent = digits.size() - 1;
  const std::size_t significant = digits.find_last_not_of('0') + 1;
  const bool is_split = significant % 2 == 0 && exponent % 2 == 0;
  return 1 + (significant + 1) / 2 + (is_split ? 1 : 0) + sign;
}

std::size_t SizeOf(const std::string& text) { return text.size(); }
std::size_t SizeOf(const Binary& binary) { return binary.bytes.size(); }
std::size_t SizeOf(const AttributeValue& value);

template <typename Set>
std::size_t SizeOfMembers(const Set& set) {
  std::size_t size = 0;
  for (const auto& member : set) size += SizeOf(member);
  return size;
}

std::size_t SizeOf(bool /*value*/) { return 1; }
std::size_t SizeOf(Null /*value*/) { return 1; }
std::size_t SizeOf(const List& list) { return 3 + list.size() + SizeOfMembers(list); }

std::size_t SizeOf(const AttributeValue& value) {
  return std::visit(
      [](const auto& v) -> std::size_t {
        using T = std::remove_cvref_t<decltype(v)>;
        if constexpr (std::is_same_v<T, Map>) {
          return 3 + v.size() + test::SizeOf(v);
        } else if constexpr (std::is_same_v<T, StringSet> || std::is_same_v<T, NumberSet> ||
                             std::is_same_v<T, BinarySet>) {
          return SizeOfMembers(v);
        } else {
          return SizeOf(v);
        }
      },
      value.variant());
}

double Units(std::size_t bytes, std::size_t unit) {
  return std::max(1.0, static_cast<double>((bytes + unit - 1) / unit));
}

double WriteUnits(std::size_t bytes) { return Units(bytes, 1024); }

}  // namespace

std::size_t SizeOf(const Item& item) {
  std::size_t size = 0;
  for (const auto& [name, value] : item) size += name.size() + SizeOf(value);
  return size;
}

void Bill::Add(const ReferenceTable& table, const std::string& index, const Capacity& capacity) {
  const std::string& name = table.description().name;
  ConsumedCapacity& sum = by_table_[name];
  sum.table_name = name;
  const Capacity more{.read_units = capacity.read_units * factor_,
                      .write_units = capacity.write_units * factor_};
  sum.total += more;
  if (which_ != ReturnConsumedCapacity::kIndexes) return;
  switch (table.shape(index).kind) {
    case Shape::Kind::kTable:
      sum.table += more;
      return;
    case Shape::Kind::kGlobal:
      sum.global_secondary_indexes[index] += more;
      return;
    case Shape::Kind::kLocal:
      sum.local_secondary_indexes[index] += more;
      return;
  }
}

void Bill::AddRead(const ReferenceTable& table, const std::string& index, std::size_t bytes,
                   bool consistent) {
  Add(table, index, {.read_units = Units(bytes, 4096) * (consistent ? 1 : 0.5)});
}

void Bill::AddWrite(const ReferenceTable& table, const Item* before, const Item* after) {
  const std::size_t size_before = before == nullptr ? 0 : SizeOf(*before);
  const std::size_t size_after = after == nullptr ? 0 : SizeOf(*after);
  Add(table, "", {.write_units = WriteUnits(std::max(size_before, size_after))});
  for (const std::string& index : IndexNames(table.description())) {
    if (!index.empty()) AddEntry(table, index, before, after);
  }
}

// Adds the cost of the change of one index entry. An unchanged entry costs nothing. If the key of
// the entry changes, the deletion of the old entry and the put of the new entry both cost units.
void Bill::AddEntry(const ReferenceTable& table, const std::string& index, const Item* before,
                    const Item* after) {
  const auto old_entry = before == nullptr ? std::nullopt : table.EntryOf(*before, index);
  const auto new_entry = after == nullptr ? std::nullopt : table.EntryOf(*after, index);
  if (old_entry == new_entry) return;
  const double old_units = old_entry ? WriteUnits(SizeOf(*old_entry)) : 0;
  const double new_units = new_entry ? WriteUnits(SizeOf(*new_entry)) : 0;
  const auto& order = table.shape(index).order;
  const bool stays =
      old_entry && new_entry && PartOf(*old_entry, order) == PartOf(*new_entry, order);
  Add(table, index,
      {.write_units = stays ? std::max(old_units, new_units) : old_units + new_units});
}

std::vector<ConsumedCapacity> Bill::Total() const {
  std::vector<ConsumedCapacity> total;
  if (!wanted()) return total;
  for (const auto& [name, capacity] : by_table_) total.push_back(capacity);
  return total;
}

std::string ToString(const std::vector<ConsumedCapacity>& capacity) {
  std::ostringstream out;
  const auto write = [&](const std::string& name, const Capacity& one) {
    out << ' ' << name << ": " << one.read_units << '+' << one.write_units;
  };
  for (const ConsumedCapacity& table : capacity) {
    out << "\n    consumed:";
    write(table.table_name, table.total);
    write("table", table.table);
    for (const auto& [name, one] : table.global_secondary_indexes) write(name, one);
    for (const auto& [name, one] : table.local_secondary_indexes) write(name, one);
  }
  return out.str();
}

}  // namespace dolmen::test
