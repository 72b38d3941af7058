#include "engine/schema/live_table.h"

namespace dolmen::engine {

Status NoSuchTable() { return Status::ResourceNotFound("Requested resource not found"); }

}  // namespace dolmen::engine
