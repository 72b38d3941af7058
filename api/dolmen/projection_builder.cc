#include "dolmen/projection_builder.h"

#include <memory>

#include "engine/expression/compose.h"

namespace dolmen {

ProjectionExpression Project(const std::vector<Attr>& attributes) {
  auto syntax = std::make_shared<engine::ProjectionSyntax>();
  engine::PartComposer parts(syntax.get());
  for (const Attr& attribute : attributes) syntax->paths.push_back(parts.AddPath(attribute.path()));
  if (attributes.empty()) parts.Fail(Status::Validation("The expression can not be empty;"));
  if (!parts.status().ok()) {
    return ProjectionExpression(SyntaxTree<engine::ProjectionSyntax>(parts.status()));
  }
  return ProjectionExpression(SyntaxTree<engine::ProjectionSyntax>(std::move(syntax)));
}

}  // namespace dolmen
