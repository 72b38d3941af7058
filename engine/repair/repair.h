// The repair of a damaged database.

#pragma once

#include <filesystem>

#include "dolmen/repair.h"
#include "dolmen/result.h"

namespace dolmen::engine {

// Contract: dolmen::Repair.
Result<RepairOutput> Repair(const std::filesystem::path& from, const std::filesystem::path& to,
                            const RepairOptions& options);

}  // namespace dolmen::engine
