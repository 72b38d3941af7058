#include "tests/model/random_schema.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/model/random_values.h"
#include "tests/model/table_shape.h"

namespace dolmen::test {
namespace {

const std::vector<std::string> kGlobalNames = {"GSI1", "gsi-2", "a.b"};
const std::vector<std::string> kLocalNames = {"LSI1", "lsi_2"};
const std::vector<AttributeType> kKeyTypes = {AttributeType::kS, AttributeType::kS,
                                              AttributeType::kN, AttributeType::kB};

bool IsTaken(const CreateTableInput& table, const std::string& name) {
  const auto& indexes = table.global_secondary_indexes;
  return std::any_of(indexes.begin(), indexes.end(),
                     [&](const GlobalSecondaryIndex& index) { return index.name == name; });
}

// Chooses a random projection. `keys` are the key attributes of the table and the index.
template <typename Index>
void SetProjection(const std::vector<KeyAttribute>& keys, Random* random, Index* index) {
  index->projection = static_cast<ProjectionType>(random->Below(3));
  if (index->projection != ProjectionType::kInclude) return;
  std::vector<std::string> names = AttributeNames();
  std::erase_if(names, [&](const std::string& name) {
    return std::any_of(keys.begin(), keys.end(),
                       [&](const KeyAttribute& key) { return key.name == name; });
  });
  random->Shuffle(&names);
  names.resize(std::min(names.size(), 1 + random->Below(4)));
  index->non_key_attributes = std::move(names);
}

// Removes a random number of attributes from the end of `attributes` and returns them. The number
// is 2 to 4 in a quarter of the calls. In the other calls it is 1, or sometimes 0 if `least` is 0.
// The parameter `least` is 0 or 1.
std::vector<KeyAttribute> Take(std::size_t least, Random* random,
                               std::vector<KeyAttribute>* attributes) {
  std::size_t count = std::max<std::size_t>(least, random->Below(3) == 0 ? 0 : 1);
  if (random->OneIn(4)) count = 2 + random->Below(3);
  std::vector<KeyAttribute> taken(attributes->end() - static_cast<std::ptrdiff_t>(count),
                                  attributes->end());
  attributes->resize(attributes->size() - count);
  return taken;
}

LocalSecondaryIndex RandomLocalIndex(const CreateTableInput& table, const std::string& name,
                                     Random* random) {
  LocalSecondaryIndex index{.name = name, .sort_key = random->Pick(IndexableAttributes())};
  std::vector<KeyAttribute> keys = KeyOf(table);
  keys.push_back(index.sort_key);
  SetProjection(keys, random, &index);
  return index;
}

}  // namespace

bool CanHaveMoreIndexes(const CreateTableInput& table) {
  return table.global_secondary_indexes.size() < kGlobalNames.size();
}

GlobalSecondaryIndex RandomGlobalIndex(const CreateTableInput& table, Random* random) {
  GlobalSecondaryIndex index;
  do {
    index.name = random->Pick(kGlobalNames);
  } while (IsTaken(table, index.name));
  std::vector<KeyAttribute> attributes = IndexableAttributes();
  std::vector<KeyAttribute> keys = KeyOf(table);
  attributes.insert(attributes.end(), keys.begin(), keys.end());
  random->Shuffle(&attributes);
  index.partition_key = Take(1, random, &attributes);
  index.sort_key = Take(0, random, &attributes);
  keys.insert(keys.end(), index.partition_key.begin(), index.partition_key.end());
  keys.insert(keys.end(), index.sort_key.begin(), index.sort_key.end());
  SetProjection(keys, random, &index);
  return index;
}

CreateTableInput RandomTable(const std::string& name, Random* random) {
  CreateTableInput table{.name = name};
  table.partition_key = {.name = random->OneIn(2) ? "PK" : "id", .type = random->Pick(kKeyTypes)};
  table.sort_key =
      KeyAttribute{.name = random->OneIn(2) ? "SK" : "year", .type = random->Pick(kKeyTypes)};
  if (random->OneIn(4)) table.sort_key.reset();
  for (std::size_t i = random->Below(3); i > 0; --i) {
    table.global_secondary_indexes.push_back(RandomGlobalIndex(table, random));
  }
  for (std::size_t i = random->Below(3); i > 0 && table.sort_key; --i) {
    table.local_secondary_indexes.push_back(RandomLocalIndex(table, kLocalNames[i - 1], random));
  }
  return table;
}

}  // namespace dolmen::test
