#include "dolmen/streams.h"

namespace dolmen {

std::string_view EventNameText(EventName name) {
  switch (name) {
    case EventName::kInsert:
      return "INSERT";
    case EventName::kModify:
      return "MODIFY";
    case EventName::kRemove:
      return "REMOVE";
  }
  return {};
}

}  // namespace dolmen
