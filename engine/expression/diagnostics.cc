#include "engine/expression/diagnostics.h"

namespace dolmen::engine {

Status Diagnostics::status() const {
  if (ok()) return {};
  return Status::Validation(
      std::string("Invalid ").append(ExpressionKindName(kind_)).append(": ").append(message_));
}

}  // namespace dolmen::engine
