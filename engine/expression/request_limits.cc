#include "engine/expression/request_limits.h"

#include "engine/value/codec.h"
#include "engine/value/utf8.h"

namespace dolmen::engine {

std::string AttributeNameFault(std::string_view name) {
  if (!IsUtf8(name)) return "An attribute name is not valid UTF-8";  // JSON cannot carry it
  if (!name.empty() && name.size() <= kAttributeNameBytesMax) return {};
  return "An attribute name must have 1 to " + std::to_string(kAttributeNameBytesMax) +
         " bytes";  // text unverified
}

}  // namespace dolmen::engine
