#include "remote/used_tokens.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace dolmen::remote {
namespace {

// DynamoDB remembers a token for this time after its transaction.
constexpr std::chrono::minutes kTokenLifetime(10);

}  // namespace

UsedTokens::Use::Use(UsedTokens* tokens, std::string token, const http::Digest& asked)
    : tokens_(tokens), token_(std::move(token)), asked_(asked) {
  const MutexLock lock(tokens_->mutex_);
  tokens_->running_.push_back(this);
}

UsedTokens::Use::~Use() {
  const MutexLock lock(tokens_->mutex_);
  std::erase(tokens_->running_, this);
}

UsedTokens::Owner UsedTokens::Use::FindOwner() const {
  const Timestamp now = tokens_->clock_->Now();
  const MutexLock lock(tokens_->mutex_);
  for (const Use* const other : tokens_->running_) {
    if (other->token_ == token_ && other->asked_ != asked_) return Owner::kOther;
  }
  const auto found = tokens_->by_token_.find(token_);
  if (found == tokens_->by_token_.end() || found->second->end <= now) return Owner::kUnknown;
  const std::vector<http::Digest>& asked = found->second->asked;
  const bool is_same = std::ranges::all_of(asked, [&](const auto& one) { return one == asked_; });
  return is_same ? Owner::kSame : Owner::kOther;
}

void UsedTokens::Use::Executed() {
  const MutexLock lock(tokens_->mutex_);
  tokens_->Renew(token_)->asked = {asked_};
}

void UsedTokens::Use::MayBeExecuted() {
  const MutexLock lock(tokens_->mutex_);
  std::vector<http::Digest>& asked = tokens_->Renew(token_)->asked;
  if (asked.size() < 2 && std::ranges::find(asked, asked_) == asked.end()) asked.push_back(asked_);
}

UsedTokens::Record* UsedTokens::Renew(const std::string& token) {
  const Timestamp now = clock_->Now();
  const auto found = by_token_.find(token);
  if (found == by_token_.end()) {
    records_.push_back({.token = token, .asked = {}, .end = {}});
    by_token_.emplace(records_.back().token, std::prev(records_.end()));
  } else {
    records_.splice(records_.end(), records_, found->second);
    if (records_.back().end <= now) records_.back().asked.clear();
  }
  records_.back().end = now + kTokenLifetime;
  while (records_.size() > tokens_max_ || records_.front().end <= now) {
    by_token_.erase(records_.front().token);
    records_.pop_front();
  }
  return &records_.back();
}

}  // namespace dolmen::remote
