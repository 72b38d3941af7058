#include "dolmen/testing/simulate.h"

#include <memory>
#include <utility>

#include "database/openers.h"
#include "database/simulate/simulated_backend.h"
#include "dolmen/database.h"

namespace dolmen {

std::shared_ptr<const SimulateOptions> Simulate(SimulateOptions options) {
  return std::make_shared<const SimulateOptions>(std::move(options));
}

Simulation::Simulation(std::shared_ptr<internal::Backend> backend) : backend_(std::move(backend)) {}

Result<Simulation> Simulation::Of(const Database& database) {
  const Database simulated = internal::openers.simulated(database);
  if (!simulated.backend()->IsInOwnProcess()) return internal::RefusedAfterFork();
  if (dynamic_cast<database::SimulatedBackend*>(simulated.backend().get()) == nullptr) {
    return Status::Validation(
        "The database has no simulation. Open it with OpenOptions::simulate = Simulate({}).");
  }
  return Simulation(simulated.backend());
}

Status Simulation::Restart(SimulateOptions options) const {
  if (!backend_->IsInOwnProcess()) return internal::RefusedAfterFork();
  return static_cast<database::SimulatedBackend&>(*backend_).Restart(std::move(options));
}

SimulateOptions Simulation::Options() const {
  if (!backend_->IsInOwnProcess()) return {};
  return static_cast<database::SimulatedBackend&>(*backend_).Options();
}

SimulatedTrace Simulation::Trace() const {
  if (!backend_->IsInOwnProcess()) return {};
  return static_cast<database::SimulatedBackend&>(*backend_).Trace();
}

}  // namespace dolmen
