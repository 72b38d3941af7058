#include "dolmen/entity/transaction.h"

#include <algorithm>
#include <memory>

#include "entity/write_group.h"

namespace dolmen {

struct EntityTransaction::Writes {
  std::vector<entity::PlannedWrite> planned;
  entity::WriteGroup group;
  Status status;  // the error of the first write that could not be planned

  void Add(Result<entity::PlannedWrite>&& write) {
    if (write.ok()) {
      if (planned.empty()) planned.reserve(4);  // few transactions have more writes
      planned.push_back(*std::move(write));
    } else if (status.ok()) {
      status = write.status();
    }
  }
};

EntityTransaction::EntityTransaction(entity::RequestSender sender)
    : sender_(std::move(sender)),
      context_(sender_.context()),
      writes_(std::make_shared<Writes>()) {}

EntityTransaction::EntityTransaction(const EntityTransaction& other)
    : sender_(other.sender_),
      context_(other.context_),
      writes_(std::make_shared<Writes>(*other.writes_)),
      refusals_(other.refusals_),
      token_(other.token_) {}

EntityTransaction& EntityTransaction::operator=(const EntityTransaction& other) {
  return *this = EntityTransaction(other);
}

EntityTransaction::EntityTransaction(EntityTransaction&& other) noexcept = default;
EntityTransaction& EntityTransaction::operator=(EntityTransaction&& other) noexcept = default;
EntityTransaction::~EntityTransaction() = default;

EntityTransaction& EntityTransaction::AddCreate(const entity::EntitySpec& entity, void* value) {
  writes_->Add(entity::PlanCreate(entity, context_, value));
  return *this;
}

EntityTransaction& EntityTransaction::AddPut(const entity::EntitySpec& entity, void* value) {
  writes_->Add(entity::PlanPut(entity, context_, value));
  return *this;
}

EntityTransaction& EntityTransaction::AddUpdate(const entity::EntitySpec& entity, const void* key,
                                                const entity::ChangeList& changes) {
  writes_->Add(entity::PlanUpdate(entity, context_, key, changes));
  return *this;
}

EntityTransaction& EntityTransaction::AddRemove(const entity::EntitySpec& entity, const void* key,
                                                const Condition& condition, std::string words) {
  writes_->Add(entity::PlanRemove(entity, key, condition, std::move(words)));
  return *this;
}

EntityTransaction& EntityTransaction::AddConditionCheck(const entity::EntitySpec& entity,
                                                        const void* key, const Condition& condition,
                                                        std::string words) {
  writes_->Add(entity::PlanConditionCheck(entity, key, condition, std::move(words)));
  return *this;
}

std::size_t EntityTransaction::size() const { return writes_->planned.size(); }

Status EntityTransaction::Commit() {
  refusals_.clear();
  if (!writes_->status.ok()) return writes_->status;
  if (writes_->planned.empty()) return {};
  const Status status = writes_->group.Send(sender_, &writes_->planned, token_);
  if (status.code() != StatusCode::kTransactionCanceled) return status;
  refusals_ = status.reasons();
  const auto first =
      std::ranges::find_if(refusals_, [](const Status& refusal) { return !refusal.ok(); });
  return first == refusals_.end() ? status : *first;
}

}  // namespace dolmen
