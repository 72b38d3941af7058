// ProjectionExpression: the parts of an item that are asked for.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ProjectionExpressions.html

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"
#include "dolmen/lifetime.h"
#include "dolmen/result.h"
#include "engine/expression/document_path.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// A bound projection.  Borrows the names of its paths; a bound expression's come from the syntax
// and from the request's names, which must outlive it.
// A value; const methods may be called from any thread.
class Projection {
 public:
  // REQUIRES: no two of `paths` clash (FindClash)
  explicit Projection(std::vector<DocumentPath> paths);

  // Appends to `*out` an item of the item's parts that the paths lead to, in its stored form.
  // Parents of nested parts are kept; lists close their gaps.  What is missing is left out, so that
  // the result may be an item without attributes.
  // kCorruption if the item's bytes are damaged; `*out` is then as it was.
  Status Apply(const ItemView& item, std::string* out) const;

  std::span<const DocumentPath> paths() const DOLMEN_LIFETIME_BOUND { return paths_; }

 private:
  friend class ProjectionTree;

  // A step that paths have in common.  The nodes of one parent lie together, in ascending order.
  struct Node {
    PathStep step;
    std::uint16_t first_child = 0;
    std::uint16_t child_count = 0;  // 0: a path ends here
  };

  std::span<const Node> Children(const Node& node) const {
    return std::span(nodes_).subspan(node.first_child, node.child_count);
  }
  Status Prune(const Node& node, const AttributeView& value,
               std::optional<AttributeValue>* part) const;

  std::vector<DocumentPath> paths_;  // as written
  std::vector<Node> nodes_;
  std::uint16_t root_count_ = 0;  // nodes_[0, root_count_) are top-level attributes
};

// Resolves the placeholders.  kValidation, with DynamoDB's message: a name that is not defined,
// paths that clash.
Result<Projection> BindProjection(const ProjectionSyntax& syntax DOLMEN_LIFETIME_BOUND,
                                  Placeholders& placeholders);
Result<Projection> BindProjection(ProjectionSyntax&& syntax, Placeholders& placeholders) = delete;

}  // namespace dolmen::engine
