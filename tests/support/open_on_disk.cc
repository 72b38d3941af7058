#include "tests/support/open_on_disk.h"

#include <utility>

#include "engine/base/status_macros.h"
#include "engine/engine.h"
#include "engine/storage/files/directory.h"
#include "engine/storage/rocks_process.h"

namespace dolmen::test {

Result<Database> OpenOnDisk(const std::filesystem::path& directory,
                            std::shared_ptr<InterceptedDisk> disk, const OpenOptions& options) {
  DOLMEN_RETURN_IF_ERROR(engine::CheckMayOpen());
  DOLMEN_RETURN_IF_ERROR(engine::PrepareDirectory(directory, true));
  engine::StoreOptions store = engine::Engine::StoreOptionsFor(directory, options);
  store.file_system = std::move(disk);
  DOLMEN_ASSIGN_OR_RETURN(std::shared_ptr<engine::Engine> engine,
                          engine::Engine::OpenStore(store, options));
  return Database(std::move(engine));
}

}  // namespace dolmen::test
