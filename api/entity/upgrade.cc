#include "entity/upgrade.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/entity/definition.h"
#include "engine/base/status_macros.h"
#include "engine/value/codec.h"

namespace dolmen::entity {
namespace {

// Returns the version of a stored item. An item without a version has the version 1.
Result<std::int64_t> VersionOf(ItemView item) {
  const AttributeView version = item[kEntityVersion];
  if (!version) return std::int64_t{1};
  const auto number = version.AsInt64();
  if (number && *number >= 1) return *number;
  return Status::Corruption("attribute " + std::string(kEntityVersion) + " is " +
                            version.ToString() + ", not a version");
}

}  // namespace

Result<bool> UpgradeItem(const EntitySpec& entity, ItemView item, std::string* bytes) {
  if (entity.format == 1) return false;
  DOLMEN_ASSIGN_OR_RETURN(const std::int64_t stored, VersionOf(item));
  if (stored >= entity.format) return false;
  DOLMEN_ASSIGN_OR_RETURN(Item upgraded, item.Copy());
  const Item original = upgraded;
  for (std::int64_t version = stored; version < entity.format; ++version) {
    const auto upgrade = entity.upgrades[static_cast<std::size_t>(version)];
    if (upgrade != nullptr) upgrade(upgraded);
  }
  for (const std::string_view name :
       {entity.primary().partition_name, entity.primary().sort_name, entity.type_attribute}) {
    upgraded.erase(name);
    if (const auto found = original.find(name); found != original.end()) upgraded.insert(*found);
  }
  upgraded.insert_or_assign(std::string(kEntityVersion), entity.format);
  bytes->clear();
  DOLMEN_RETURN_IF_ERROR(engine::EncodeItem(upgraded, bytes));
  return true;
}

}  // namespace dolmen::entity

namespace dolmen {

void RenameAttribute(Item* item, std::string_view from, std::string_view to) {
  const auto found = item->find(from);
  if (found == item->end()) return;
  AttributeValue value = std::move(found->second);
  item->erase(from);
  item->insert_or_assign(std::string(to), std::move(value));
}

}  // namespace dolmen
