#include "tests/concurrent/random_calls.h"

#include <algorithm>
#include <numeric>
#include <thread>

namespace dolmen::test {
namespace {

// If a random call picks an item that it knows to be deleted, it usually omits the item. In one of
// this many calls it keeps the item and tries to write to it. That write makes its whole
// transaction fail, so it must be rare.
constexpr std::size_t kOneInGoneIsTried = 10;

// One write in this many is a deletion, if the item can be deleted. Only half of the items can be
// deleted. The number is so large that most of these items still exist at the end of a round.
constexpr std::size_t kOneInIsDeletion = 60;

}  // namespace

RandomCalls::RandomCalls(RecordedClient* client, std::uint64_t seed)
    : client_(client), random_(seed), gone_(TrackedItems::kItems, false) {}

// Picks some items more often than others, so that some are nearly always in use.
std::size_t RandomCalls::PickItem() {
  return std::min(random_.Below(TrackedItems::kItems), random_.Below(TrackedItems::kItems));
}

std::vector<std::size_t> RandomCalls::PickItems(std::size_t count) {
  std::vector<std::size_t> items;
  while (items.size() < count) {
    const std::size_t item = PickItem();
    if (std::ranges::find(items, item) == items.end()) items.push_back(item);
  }
  return items;
}

// Picks items for a write. Sometimes picks all items, so that the write conflicts with every
// concurrent write.
std::vector<std::size_t> RandomCalls::PickItemsToWrite() {
  std::vector<std::size_t> items =
      PickItems(random_.OneIn(16) ? TrackedItems::kItems : 1 + random_.Below(4));
  if (!random_.OneIn(kOneInGoneIsTried)) {
    std::erase_if(items, [&](std::size_t item) { return gone_[item]; });
  }
  return items;
}

Marks RandomCalls::NewMarks() {
  Marks marks = {client_->NewMark()};
  if (random_.OneIn(4)) marks.push_back(client_->NewMark());
  return marks;
}

std::vector<ItemRead> RandomCalls::Read() {
  std::vector<ItemRead> reads;
  switch (random_.Below(8)) {
    case 0:
      reads = client_->GetItem(PickItem());
      break;
    case 1:
      for (const std::size_t item : PickItems(2)) {
        const std::vector<ItemRead> read = client_->GetItem(item);
        reads.insert(reads.end(), read.begin(), read.end());
      }
      break;
    case 2:
      reads = client_->Query(random_.Below(TrackedItems::kTables),
                             random_.Below(TrackedItems::kPartitions));
      break;
    case 3:
      reads = client_->Scan(random_.Below(TrackedItems::kTables));
      break;
    case 4:
      reads = client_->ScanIndex();
      break;
    default:
      reads = client_->TransactGetItems(
          PickItems(random_.OneIn(8) ? TrackedItems::kItems : 2 + random_.Below(4)));
      break;
  }
  for (const ItemRead& read : reads) {
    if (!read.seen.absent()) continue;
    gone_[read.item] = !client_->items().items()[read.item].starts_absent;
  }
  return reads;
}

void RandomCalls::Transact(const std::vector<Change>& changes) {
  client_->TransactWriteItems(changes, random_.OneIn(8));
}

void RandomCalls::WriteUnseen() {
  const std::vector<ReturnValues> returns = {ReturnValues::kNone, ReturnValues::kAllOld,
                                             ReturnValues::kAllNew, ReturnValues::kUpdatedOld,
                                             ReturnValues::kUpdatedNew};
  std::vector<Change> changes;
  for (const std::size_t item : PickItemsToWrite()) {
    changes.push_back({.item = item, .appended = NewMarks()});
  }
  if (changes.empty()) return;
  if (changes.size() > 1 || random_.OneIn(2)) return Transact(changes);
  const bool stays = client_->items().items()[changes[0].item].starts_absent;
  if (!stays && random_.OneIn(kOneInIsDeletion / 3)) {
    changes[0] = {.kind = Change::Kind::kDelete, .item = changes[0].item};
  }
  client_->WriteOne(changes[0], random_.Pick(returns));
}

// Returns a change for an absent item. For a deleted item the change only checks that the item is
// absent, because a deleted item is never created again.
Change RandomCalls::ChangeOfAbsent(std::size_t item) {
  if (!client_->items().items()[item].starts_absent || random_.OneIn(4)) {
    return {Change::Kind::kConditionCheck, item, Seen(Absent{}), {}};
  }
  return {random_.OneIn(2) ? Change::Kind::kPut : Change::Kind::kUpdate, item, Seen(Absent{}),
          NewMarks()};
}

Change RandomCalls::ChangeOfMarks(std::size_t item, const Marks& marks) {
  const Seen all = marks;
  const Seen size = MarkCount{marks.size()};
  const Seen& expected = random_.OneIn(2) ? all : size;
  const bool may_go = !client_->items().items()[item].starts_absent;
  if (may_go && random_.OneIn(kOneInIsDeletion)) return {Change::Kind::kDelete, item, all, {}};
  switch (random_.Below(3)) {
    case 0:
      return {Change::Kind::kConditionCheck, item, expected, {}};
    case 1:
      return {Change::Kind::kPut, item, all, NewMarks()};
    default:
      return {Change::Kind::kUpdate, item, expected, NewMarks()};
  }
}

Change RandomCalls::ChangeOf(const ItemRead& read) {
  const Marks* const marks = read.seen.marks();
  if (marks != nullptr) return ChangeOfMarks(read.item, *marks);
  return ChangeOfAbsent(read.item);
}

void RandomCalls::WriteWhatWasRead() {
  const std::vector<ItemRead> reads = Read();
  std::vector<std::size_t> some(reads.size());
  std::iota(some.begin(), some.end(), std::size_t{0});
  random_.Shuffle(&some);
  some.resize(std::min(some.size(), 1 + random_.Below(4)));
  if (random_.OneIn(2)) std::this_thread::yield();
  std::vector<Change> changes;
  for (const std::size_t i : some) changes.push_back(ChangeOf(reads[i]));
  if (changes.empty()) return;
  const bool is_one = changes.size() == 1 && changes[0].kind != Change::Kind::kConditionCheck;
  if (is_one && random_.OneIn(2)) return client_->WriteOne(changes[0]);
  Transact(changes);
}

void RandomCalls::Step() {
  // Yields, so that threads take turns on a machine with few processors.
  if (random_.OneIn(2)) std::this_thread::yield();
  switch (random_.Below(3)) {
    case 0:
      Read();
      break;
    case 1:
      WriteUnseen();
      break;
    default:
      WriteWhatWasRead();
      break;
  }
}

}  // namespace dolmen::test
