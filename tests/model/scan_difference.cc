// Comparison of a Scan with the reference. The reference defines no order of the partitions.

#include <algorithm>
#include <map>
#include <utility>

#include "tests/model/real_results.h"
#include "tests/model/reference_capacity.h"

namespace dolmen::test {
namespace {

// The items of each partition, in the order in which they were returned.
using ByPartition = std::map<std::string, std::vector<Item>>;

std::string PartitionOf(const Item& item, const Shape& shape) {
  return ToString(AttributeValue(PartOf(item, shape.partition)));
}

std::string Texts(const std::vector<Item>& items) {
  std::string text;
  for (const Item& item : items) text += "\n    " + ToString(AttributeValue(item));
  return text;
}

bool HasExactly(const Item& item, const std::vector<KeyAttribute>& names) {
  return item.size() == names.size() &&
         std::all_of(names.begin(), names.end(),
                     [&](const KeyAttribute& key) { return item.contains(key.name); });
}

// Checks the properties of a page that do not depend on the contents of the table. Returns the name
// of the first property that is wrong, or "" if all are right.
std::string Fault(const Page& page, const ScanOperation& operation, const Shape& shape) {
  const bool counts_only = operation.select == Select::kCount;
  if (page.items.size() != (counts_only ? 0 : page.count)) return "count";
  if (page.count > page.scanned_count) return "scanned count";
  const bool is_full = page.scanned_count == operation.limit;
  if (is_full != !page.last_evaluated_key.empty()) return "last evaluated key";
  if (operation.limit && page.scanned_count > *operation.limit) return "limit";
  if (!is_full) return "";
  if (!HasExactly(page.last_evaluated_key, shape.order)) return "last evaluated key's attributes";
  const bool last_is_there = !counts_only && !operation.filter && operation.projection.empty();
  if (last_is_there && PartOf(page.items.back(), shape.order) != page.last_evaluated_key) {
    return "last evaluated key is not the last item's";
  }
  return "";
}

// Groups items by partition. Returns false if the items of a partition are not contiguous.
bool Group(const std::vector<Item>& items, const Shape& shape, ByPartition* groups) {
  std::string last;
  for (const Item& item : items) {
    std::string partition = PartitionOf(item, shape);
    std::vector<Item>& group = (*groups)[partition];
    if (partition != last && !group.empty()) return false;
    group.push_back(item);
    last = std::move(partition);
  }
  return true;
}

std::string DifferenceOfItems(const ScanOperation& operation, const Shape& shape,
                              const Whole& expected, std::vector<Item> actual) {
  std::vector<Item> all;
  for (const auto& items : expected.partitions) all.insert(all.end(), items.begin(), items.end());
  const auto text = [&] {
    return "\n  the model:" + Texts(all) + "\n  the table:" + Texts(actual);
  };
  if (operation.projection.empty()) {
    ByPartition model;
    ByPartition table;
    Group(all, shape, &model);
    if (!Group(actual, shape, &table))
      return "the items of a partition are not contiguous" + text();
    return model == table ? "" : "the items differ" + text();
  }
  // A projected item may lack its key attributes, so its partition is unknown here. The items are
  // therefore compared without regard to their order.
  const auto by_text = [](const Item& a, const Item& b) {
    return ToString(AttributeValue(a)) < ToString(AttributeValue(b));
  };
  std::sort(all.begin(), all.end(), by_text);
  std::sort(actual.begin(), actual.end(), by_text);
  return all == actual ? "" : "the projected items differ" + text();
}

}  // namespace

std::string Difference(const ScanOperation& operation, const ReferenceTable& model,
                       const std::vector<Pages>& segments) {
  const Whole expected = model.Scan(operation);
  Whole actual;
  std::vector<Item> items;
  for (const Pages& pages : segments) {
    for (const Page& page : pages) {
      if (page.code != expected.code) {
        return "the model: " + std::string(StatusCodeName(expected.code)) +
               ", the table: " + std::string(StatusCodeName(page.code));
      }
      if (page.code != StatusCode::kOk) continue;
      const std::string fault = Fault(page, operation, model.shape(operation.index));
      if (!fault.empty()) return "wrong " + fault + ": " + ToString(page);
      actual.count += page.count;
      actual.scanned_count += page.scanned_count;
      items.insert(items.end(), page.items.begin(), page.items.end());
    }
  }
  if (expected.code != StatusCode::kOk) return "";
  const std::string difference =
      DifferenceOfItems(operation, model.shape(operation.index), expected, std::move(items));
  if (!difference.empty()) return difference;
  const bool one_page = segments.size() == 1 && segments[0].size() == 1;
  if (one_page && segments[0][0].capacity != expected.capacity) {
    return "the model:" + ToString(expected.capacity) +
           "\n  the table:" + ToString(segments[0][0].capacity);
  }
  if (actual.count == expected.count && actual.scanned_count == expected.scanned_count) return "";
  return "the model counts " + std::to_string(expected.count) + " of " +
         std::to_string(expected.scanned_count) + ", the table " + std::to_string(actual.count) +
         " of " + std::to_string(actual.scanned_count);
}

}  // namespace dolmen::test
