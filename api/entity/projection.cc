#include "dolmen/entity/projection.h"

namespace dolmen::entity {

ProjectedEntity::ProjectedEntity(const EntitySpec& entity)
    : whole_(&entity),
      attributes_(entity.attributes.begin(), entity.attributes.end()),
      spec_(entity) {
  for (AttributeSpec& attribute : attributes_) {
    if (attribute.in_key) continue;
    attribute.is_required = false;
    attribute.rest = nullptr;
    attribute.decode = [](AttributeView, void*) { return Status(); };
  }
  spec_.attributes = attributes_;
  spec_.hides_members = false;
}

ProjectedEntity::ProjectedEntity(const ProjectedEntity& other)
    : whole_(other.whole_), attributes_(other.attributes_), spec_(other.spec_) {
  spec_.attributes = attributes_;
}

void ProjectedEntity::Add(std::size_t attribute) {
  attributes_[attribute] = whole_->attributes[attribute];
}

}  // namespace dolmen::entity
