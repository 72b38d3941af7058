#include "bench/dolmen_reader.h"

#include <utility>

namespace dolmen::bench {
namespace {

std::string* TextIn(Item* item, std::string_view attribute) {
  return item->find(attribute)->second.get_if<std::string>();
}

}  // namespace

DolmenReader::DolmenReader(const DolmenStore& store, const RangeShape& shape)
    : table_(store.table()), input_{.key_condition = Partition("")} {
  if (shape.index) input_.index = kIndexName;
  if (!shape.sort_prefix.empty()) range().sort_key = BeginsWith(shape.sort_prefix);
  input_.forward = shape.forward;
  if (shape.limit > 0) input_.limit = shape.limit;
}

Answer DolmenReader::answer() const {
  Answer answer;
  for (const ItemView item : page_) {
    const engine::EncodedKey key = input_.index.empty() ? RowKeyOf(item) : EntryKeyOf(item);
    answer.push_back({std::string(key.bytes()), std::string(item.bytes())});
  }
  return answer;
}

DolmenItemReader::DolmenItemReader(const DolmenStore& store)
    : table_(store.table()), input_{.key = {{"PK", ""}, {"SK", ""}}} {
  partition_key_ = TextIn(&input_.key, "PK");
  sort_key_ = TextIn(&input_.key, "SK");
}

Status DolmenItemReader::Ask(const ItemKey& key) {
  *partition_key_ = key.partition;
  *sort_key_ = key.sort;
  return table_.GetItem(input_, &output_);
}

Answer DolmenItemReader::answer() const {
  if (!output_.item) return {};
  const ItemView item = output_.item->view();
  return {{std::string(RowKeyOf(item).bytes()), std::string(item.bytes())}};
}

}  // namespace dolmen::bench
