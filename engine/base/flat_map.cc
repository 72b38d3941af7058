#include "dolmen/internal/flat_map.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "dolmen/attribute_value.h"
#include "dolmen/consumed_capacity.h"
#include "dolmen/operations.h"

namespace dolmen::internal {

void DieOfMissingKey(std::string_view key) {
  std::fprintf(stderr, "dolmen: a program has read the missing key \"%.*s\" of a map\n",
               static_cast<int>(key.size()), key.data());
  std::abort();
}

template <typename Derived, typename Element>
void FlatBase<Derived, Element>::SortAndDropDuplicates() {
  const auto key_of = [](const Element& element) -> const auto& { return Derived::KeyOf(element); };
  std::ranges::stable_sort(elements_, {}, key_of);
  const auto dropped = std::ranges::unique(elements_, {}, key_of);
  elements_.erase(dropped.begin(), dropped.end());
}

template class FlatBase<Map, Map::value_type>;
template class FlatBase<Names, Names::value_type>;
template class FlatBase<ConsumedCapacity::ByIndex, ConsumedCapacity::ByIndex::value_type>;
template class FlatBase<StringSet, StringSet::value_type>;
template class FlatBase<NumberSet, NumberSet::value_type>;
template class FlatBase<BinarySet, BinarySet::value_type>;

}  // namespace dolmen::internal
