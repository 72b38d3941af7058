#include "command/change_writer.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "command/on_threads.h"
#include "command/write_batch.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

using Changes = std::vector<const StreamRecord*>;

// Returns the last change of each item.
Changes LastChanges(const Changes& changes) {
  std::map<std::string_view, const StreamRecord*> last;  // by the stored form of the keys
  for (const StreamRecord* const change : changes) {
    last.insert_or_assign(change->keys.view().bytes(), change);
  }
  Changes found;
  for (const auto& [key, change] : last) found.push_back(change);
  return found;
}

Result<WriteRequest> RequestOf(const StreamRecord& change) {
  if (change.event_name == EventName::kRemove) {
    DOLMEN_ASSIGN_OR_RETURN(Item key, change.keys.Copy());
    return WriteRequest(DeleteRequest{std::move(key)});
  }
  DOLMEN_ASSIGN_OR_RETURN(Item item, change.new_image->Copy());
  return WriteRequest(PutRequest{std::move(item)});
}

Status WriteSome(const OpenedTable& to, std::span<const StreamRecord* const> changes) {
  std::vector<WriteRequest> requests;
  for (const StreamRecord* const change : changes) {
    DOLMEN_ASSIGN_OR_RETURN(WriteRequest request, RequestOf(*change));
    requests.push_back(std::move(request));
  }
  return WriteAsBatch(to.database, to.table, &requests, [&](std::size_t i, const Status& written) {
    if (written.code() != StatusCode::kValidation) return written;
    return RejectedItem(to.table, changes[i]->keys.ToString(), written);
  });
}

}  // namespace

Status WriteChanges(const OpenedTable& to, const Changes& changes, std::size_t parallel,
                    const std::function<bool()>& stops) {
  const Changes last = LastChanges(changes);
  const std::size_t batches = (last.size() + kWritesMax - 1) / kWritesMax;
  std::atomic<std::size_t> next_batch = 0;
  std::atomic<bool> failed = false;
  return OnThreads(std::min(parallel, batches), [&](std::size_t) -> Status {
    for (;;) {
      const std::size_t first = next_batch++ * kWritesMax;
      if (first >= last.size() || failed) return {};
      if (stops()) return Status::Storage("interrupted");
      const std::size_t count = std::min(kWritesMax, last.size() - first);
      const Status written = WriteSome(to, std::span(last).subspan(first, count));
      if (!written.ok()) failed = true;
      DOLMEN_RETURN_IF_ERROR(written);
    }
  });
}

}  // namespace dolmen::command
