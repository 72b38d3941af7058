#include "server/databases/databases.h"

#include <utility>
#include <vector>

#include "engine/base/status_macros.h"

namespace dolmen::server {

Databases::Databases(Database original, DatabasesOptions options)
    : options_(std::move(options)),
      original_(std::make_shared<ServedDatabase>(std::move(original), options_.served)) {}

std::shared_ptr<ServedDatabase> Databases::FindExisting(std::string_view access_key) const {
  const ReaderLock lock(mutex_);
  const auto found = by_key_.find(access_key);
  if (found == by_key_.end()) return nullptr;
  found->second->SetUsed(options_.now());
  return found->second;
}

Result<std::shared_ptr<ServedDatabase>> Databases::Find(std::string_view access_key) {
  if (access_key.empty() || !options_.per_access_key) return original_;
  if (auto found = FindExisting(access_key)) return found;
  const MutexLock creating(creating_);
  if (auto found = FindExisting(access_key)) return found;
  return Create(*original_, access_key);
}

Result<std::shared_ptr<ServedDatabase>> Databases::Create(const ServedDatabase& source,
                                                          std::string_view access_key) {
  const bool is_new = FindExisting(access_key) == nullptr;
  if (is_new && size() >= options_.databases_max) DropIdle();
  if (is_new && size() >= options_.databases_max) {
    return Status::Validation(
        "This server keeps a database for each of at most " +
        std::to_string(options_.databases_max) +
        " access keys, and this access key is one more. Use fewer access keys, or start the server "
        "with a larger --databases-max or a smaller --database-idle.");
  }
  DOLMEN_ASSIGN_OR_RETURN(std::shared_ptr<ServedDatabase> created, source.Fork());
  created->SetUsed(options_.now());
  std::shared_ptr<ServedDatabase> former = created;  // is closed after the lock is released
  const WriterLock lock(mutex_);
  std::swap(by_key_[std::string(access_key)], former);
  return created;
}

Status Databases::Fork(std::string_view access_key, std::string_view name) {
  if (name.empty() || !options_.per_access_key) {
    return Status::Validation(
        "only an access key can get a fork: start the server with --database-per-access-key, and "
        "give name=ACCESS_KEY");
  }
  DOLMEN_ASSIGN_OR_RETURN(const std::shared_ptr<ServedDatabase>& source, Find(access_key));
  const MutexLock creating(creating_);
  return Create(*source, name).status();
}

Status Databases::Drop(std::string_view access_key) {
  if (access_key.empty() || !options_.per_access_key) {
    return Status::Validation(
        "only the database of an access key can be dropped: start the server with "
        "--database-per-access-key, and name the access key");
  }
  std::shared_ptr<ServedDatabase> dropped;  // is closed after the lock is released
  const WriterLock lock(mutex_);
  const auto found = by_key_.find(access_key);
  if (found == by_key_.end()) return {};
  dropped = std::move(found->second);
  by_key_.erase(found);
  return {};
}

void Databases::DropIdle() {
  // Closes the databases after the lock is released, because closing takes about a millisecond.
  std::vector<std::shared_ptr<ServedDatabase>> dropped;
  const auto used_before = options_.now() - options_.idle_max;
  const WriterLock lock(mutex_);
  std::erase_if(by_key_, [&](auto& entry) {
    if (entry.second->used() > used_before) return false;
    dropped.push_back(std::move(entry.second));
    return true;
  });
}

std::size_t Databases::size() const {
  const ReaderLock lock(mutex_);
  return by_key_.size();
}

}  // namespace dolmen::server
