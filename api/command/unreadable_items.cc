#include "command/unreadable_items.h"

#include <cstdio>
#include <utility>

#include "command/endpoint.h"
#include "command/text.h"

namespace dolmen::command {

std::shared_ptr<const UnreadableItems> UnreadableItems::SkippedOf(const Database& database,
                                                                  std::vector<std::string> keys) {
  const std::shared_ptr<UnreadableItems> skipped(new UnreadableItems(std::move(keys)));
  SkipUnreadable(database, [skipped](const ItemView& item, const std::string& reason) {
    skipped->Add(item, reason);
  });
  return skipped;
}

void UnreadableItems::Add(const ItemView& item, const std::string& reason) {
  std::string key;
  for (const std::string& name : keys_) {
    if (!item[name]) continue;
    key.append(key.empty() ? "" : ", ").append(name).append(": ").append(item[name].ToString());
  }
  const MutexLock lock(mutex_);
  skipped_.insert("{" + Printable(key) + "}: " + Printable(reason));
}

bool UnreadableItems::empty() const {
  const MutexLock lock(mutex_);
  return skipped_.empty();
}

CommandResult UnreadableItems::End(CommandResult result) const {
  const MutexLock lock(mutex_);
  for (const std::string& item : skipped_) {
    std::fprintf(stderr, "skipped: the item %s\n", item.c_str());
  }
  if (skipped_.empty() || result.exit_code != 0) return result;
  return CommandResult::Failure(CountText(skipped_.size(), "item") +
                                " skipped, because the service returns text that is not JSON: "
                                "write these items again");
}

}  // namespace dolmen::command
