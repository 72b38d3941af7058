#include "models/demo/chat_data.h"

#include <dolmen/clock.h>
#include <dolmen/ulid.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dolmen::demo {
namespace {

using namespace std::chrono_literals;
using chat::Message;

constexpr std::chrono::sys_seconds kBegin = std::chrono::sys_days(2026y / 3 / 16) + 8h;
constexpr std::chrono::sys_seconds kEnd = std::chrono::sys_days(2026y / 4 / 15) + 10h;
constexpr std::size_t kImportMessages = 990;  // ten transactions of 99

struct Plan {
  const char* id;
  const char* name;
  std::size_t participants;  // from u_01 on
  std::size_t messages;
  std::size_t unread;  // the number of newest messages that no participant has read
};

constexpr Plan kPlans[] = {
    {"c_04", "Design review", 5, 900, 0},  {"c_05", "Support desk", 8, 800, 12},
    {"c_06", "Release 2.0", 6, 600, 3},    {"c_07", "Coffee machine", 12, 400, 40},
    {"c_08", "Reading circle", 4, 300, 0}, {kLargeConversation, "Engineering", 12, 7000, 137},
};

constexpr const char* kOpenings[] = {"I think",      "Good news:",     "Just checked:",
                                     "Heads up:",    "Quick one:",     "As discussed,",
                                     "No surprise:", "For the record,"};
constexpr const char* kSubjects[] = {"the new index",  "the nightly build", "yesterday's release",
                                     "the login page", "that flaky test",   "the invoice export",
                                     "the search box", "the backup job"};
constexpr const char* kVerdicts[] = {"works as it should",         "is twice as fast now",
                                     "needs another pair of eyes", "can wait until Monday",
                                     "is ready for review",        "breaks on an empty list",
                                     "was easier than it looked",  "went out this morning"};

std::string UserId(std::size_t n) {
  const std::string digits = std::to_string(n);
  return "u_" + std::string(2 - std::min<std::size_t>(digits.size(), 2), '0') + digits;
}

template <std::size_t size>
const char* Pick(const char* const (&choices)[size], std::mt19937* random) {
  return choices[(*random)() % size];
}

// Returns the `n`th ULID of a conversation's history. The ULID consists of the message's time and
// of `n`, so each ULID is unique.
std::string HistoryUlid(Timestamp time, std::size_t n) {
  std::string ulid = LowestUlid(time);
  const std::string digits = std::to_string(n);
  return ulid.replace(ulid.size() - digits.size(), digits.size(), digits);
}

std::vector<Message> History(const Plan& plan) {
  std::mt19937 random(static_cast<std::uint32_t>(plan.messages));
  const std::chrono::seconds step = (kEnd - kBegin) / static_cast<std::int64_t>(plan.messages);
  std::vector<Message> messages;
  for (std::size_t i = 0; i < plan.messages; ++i) {
    const Timestamp time = kBegin + step * static_cast<std::int64_t>(i) +
                           std::chrono::seconds(random() % step.count());
    std::string body = Pick(kOpenings, &random);
    body.append(" ").append(Pick(kSubjects, &random));
    body.append(" ").append(Pick(kVerdicts, &random)).append(".");
    messages.push_back({.id = {.conversation_id = plan.id, .ulid = HistoryUlid(time, i)},
                        .sender_id = UserId(1 + random() % plan.participants),
                        .body = std::move(body)});
  }
  return messages;
}

// Creates the conversation.
Status CreateConversation(chat::Chat* chat, const Plan& plan) {
  chat::NewConversation request = {.id = plan.id, .name = plan.name, .created_at = kBegin};
  for (std::size_t n = 1; n <= plan.participants; ++n) {
    request.participants.push_back(
        {.user_id = UserId(n), .role = n == 1 ? chat::Role::kAdmin : chat::Role::kMember});
  }
  return chat->CreateConversation(request).status();
}

// Marks messages as read by every participant. Leaves the last messages unread: `plan.unread` of
// them.
Status MarkAllRead(chat::Chat* chat, const Plan& plan, const std::vector<Message>& history) {
  const std::string& last_read = history[history.size() - 1 - plan.unread].id.ulid;
  const Result<Timestamp> up_to = UlidTime(last_read);
  if (!up_to.ok()) return up_to.status();
  for (std::size_t n = 1; n <= plan.participants; ++n) {
    Status status = chat->MarkRead({.conversation_id = plan.id, .user_id = UserId(n)}, *up_to);
    if (!status.ok()) return status;
  }
  return {};
}

Status LoadConversation(chat::Chat* chat, const Plan& plan,
                        const std::function<void(std::size_t)>& progress) {
  if (Status status = CreateConversation(chat, plan); !status.ok()) return status;
  const std::vector<Message> history = History(plan);
  if (Status status = MarkAllRead(chat, plan, history); !status.ok()) return status;
  for (std::span<const Message> rest = history; !rest.empty();) {
    const auto chunk = rest.first(std::min(rest.size(), kImportMessages));
    rest = rest.subspan(chunk.size());
    if (Status status = chat->ImportMessages(chunk); !status.ok()) return status;
    progress(chunk.size());
  }
  return {};
}

}  // namespace

Status LoadChatData(chat::Chat* chat, const std::function<void(std::size_t)>& progress) {
  for (const Plan& plan : kPlans) {
    if (Status status = LoadConversation(chat, plan, progress); !status.ok()) return status;
  }
  return {};
}

}  // namespace dolmen::demo
