#include "database/openers.h"

#include <utility>

#include "database/simulate/simulated_backend.h"
#include "engine/backend.h"
#include "engine/engine.h"
#include "engine/repair/repair.h"

namespace dolmen::internal {

Result<Database> ToDatabase(Result<std::shared_ptr<engine::Engine>> engine,
                            const OpenOptions& options) {
  if (!engine.ok()) return engine.status();
  if (options.simulate == nullptr) return Database(*std::move(engine));
  return database::SimulatedBackend::Wrap(*std::move(engine), *options.simulate)
      .transform([](std::shared_ptr<Backend> simulated) { return Database(std::move(simulated)); });
}

constinit Openers openers = {
    .open =
        [](const std::string& directory, const OpenOptions& options) {
          return ToDatabase(engine::Engine::Open(directory, options), options);
        },
    .in_memory =
        [](const OpenOptions& options) {
          return ToDatabase(engine::Engine::InMemory(options), options);
        },
    .in_memory_from =
        [](const std::string& directory, const OpenOptions& options) {
          return ToDatabase(engine::Engine::InMemoryFrom(directory, options), options);
        },
    .restore = engine::Engine::Restore,
    .repair = [](const std::string& from, const std::string& to,
                 const RepairOptions& options) { return engine::Repair(from, to, options); },
    .simulated = [](const Database& database) { return database; }};

}  // namespace dolmen::internal
