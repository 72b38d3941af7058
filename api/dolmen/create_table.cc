#include "dolmen/create_table.h"

namespace dolmen {

GlobalSecondaryIndex GlobalSecondaryIndex::Overloaded(const std::string& name) {
  return {
      .name = name, .partition_key = {{.name = name + "PK"}}, .sort_key = {{.name = name + "SK"}}};
}

}  // namespace dolmen
