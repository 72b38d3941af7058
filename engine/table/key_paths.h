// What expressions may do with key attributes.

#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "dolmen/lifetime.h"
#include "dolmen/status.h"
#include "engine/expression/document_path.h"
#include "engine/table/table_schema.h"

namespace dolmen::engine {

// The names of a key's attributes; borrows them.
class KeyNames {
 public:
  explicit KeyNames(const KeySchema& keys DOLMEN_LIFETIME_BOUND)
      : names_{keys.partition.name, keys.sort ? keys.sort->name : std::string_view()},
        count_(keys.sort ? 2 : 1) {}

  std::span<const std::string_view> span() const DOLMEN_LIFETIME_BOUND {
    return std::span(names_).first(count_);
  }

 private:
  std::array<std::string_view, 2> names_;
  std::size_t count_;
};

// kValidation if one of `paths` leads into a key attribute of the table or of one of its indexes:
// they are scalars.
Status CheckKeyPaths(const TableSchema& table, std::span<const DocumentPath> paths);

}  // namespace dolmen::engine
