// Bound projections, which select parts of an item.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ProjectionExpressions.html

#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/expression/document_path.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

class AttributeWalk;
class ItemWriter;

// A bound ProjectionExpression. Borrows the names of its paths. BindProjection takes the names
// from the syntax and from the request, which must both outlive the projection. A value type;
// const methods may be called from any thread.
class Projection {
 public:
  // REQUIRES: no two of `paths` clash (FindClash).
  explicit Projection(std::vector<DocumentPath> paths);

  // Appends an item with the selected parts of `item` to `*out`, in the stored form. The maps and
  // lists that contain a selected part are kept. The selected elements of a list become adjacent in
  // the result. A path to an absent value selects nothing, so the result can have no attributes. On
  // an error `*out` is unchanged.
  // - kCorruption: a name, a length or a selected value is damaged. Attributes behind the last
  //   selected one are not read.
  Status Apply(const ItemView& item, std::string* out) const;

  // Returns the paths in the order of the expression.
  std::span<const DocumentPath> paths() const DOLMEN_LIFETIME_BOUND { return paths_; }

 private:
  friend class ProjectionTree;

  // A step of one path, or a step that several paths share. The children of a node are adjacent and
  // sorted.
  struct Node {
    PathStep step;
    std::uint16_t first_child = 0;
    std::uint16_t child_count = 0;  // 0: a path ends here
  };

  std::span<const Node> Children(const Node& node) const {
    return {nodes_.data() + node.first_child, node.child_count};
  }
  template <typename Take>
  Status ForEachAttribute(const ItemView& item, Take take) const;
  Status ApplyAny(const ItemView& item, std::string* out) const;
  bool CopyAttributes(const ItemView& item, std::string* out) const;
  Status AddPruned(const Node& node, const AttributeWalk& attribute, ItemWriter* writer) const;
  Status Prune(const Node& node, const AttributeView& value,
               std::optional<AttributeValue>* part) const;

  std::vector<DocumentPath> paths_;  // in the order of the expression
  boost::container::small_vector<Node, 8> nodes_;
  std::uint16_t root_count_ = 0;  // nodes_[0, root_count_) are top-level attributes
  bool is_flat_ = false;          // few paths, and each selects a whole attribute
};

// Binds a projection: resolves the placeholders and checks the paths.
// - kValidation, with DynamoDB's message: a name placeholder is not defined.
// - kValidation, with DynamoDB's message: two paths clash.
Result<Projection> BindProjection(const ProjectionSyntax& syntax DOLMEN_LIFETIME_BOUND,
                                  Placeholders& placeholders);
Result<Projection> BindProjection(ProjectionSyntax&& syntax, Placeholders& placeholders) = delete;

}  // namespace dolmen::engine
