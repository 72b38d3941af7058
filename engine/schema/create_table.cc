#include "dolmen/create_table.h"

namespace dolmen {

KeyAttribute internal::DefaultPartitionKey() { return {.name = "PK"}; }

GlobalSecondaryIndex GlobalSecondaryIndex::Overloaded(const std::string& name) {
  return {
      .name = name, .partition_key = {{.name = name + "PK"}}, .sort_key = {{.name = name + "SK"}}};
}

}  // namespace dolmen
