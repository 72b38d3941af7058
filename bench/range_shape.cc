#include "bench/range_shape.h"

#include "bench/stored_rows.h"

namespace dolmen::bench {

engine::KeyRange FirstRange(const RangeShape& shape, std::string_view partition) {
  if (shape.index) return EntriesOf(partition);
  return engine::PrefixRange(RowKeyOf(partition, shape.sort_prefix));
}

void ContinueAfter(std::string_view last_key, const RangeShape& shape, engine::KeyRange* range) {
  engine::EncodedKey& end = shape.forward ? range->lower : range->upper;
  end = engine::EncodedKey::FromBytes(last_key);
  if (shape.forward) end.AdvancePast();
}

}  // namespace dolmen::bench
