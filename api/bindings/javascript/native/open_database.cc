#include "bindings/javascript/native/open_database.h"

#include <map>
#include <mutex>

namespace dolmen_node {
namespace {

struct Registry {
  std::mutex mutex;
  uint32_t last_id = 0;
  std::map<uint32_t, std::weak_ptr<OpenDatabase>> databases;
};

// Returns the registry, which is never destroyed because threads can use it until the process ends.
Registry& TheRegistry() {
  static auto* const registry = new Registry;
  return *registry;
}

}  // namespace

std::shared_ptr<OpenDatabase> Register(dolmen_database* database) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  std::erase_if(registry.databases, [](const auto& entry) { return entry.second.expired(); });
  auto opened = std::make_shared<OpenDatabase>(database, ++registry.last_id);
  registry.databases[opened->id()] = opened;
  return opened;
}

std::shared_ptr<OpenDatabase> FindDatabase(uint32_t id) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  const auto found = registry.databases.find(id);
  return found == registry.databases.end() ? nullptr : found->second.lock();
}

}  // namespace dolmen_node
