// Random calls on tracked items, by one thread.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/concurrent/recorded_client.h"
#include "tests/support/random.h"

namespace dolmen::test {

// Reads of every kind; writes without a look at what is there; and writes of what was read before,
// on condition that it is still like that.  For one thread.
class RandomCalls {
 public:
  // REQUIRES: client lives as long as this does
  RandomCalls(RecordedClient* client, std::uint64_t seed);

  // One call, or the reading and the writing one that belong together.
  void Step();

 private:
  std::size_t PickItem();
  std::vector<std::size_t> PickItems(std::size_t count);
  std::vector<std::size_t> PickItemsToWrite();
  Marks NewMarks();

  std::vector<ItemRead> Read();
  void WriteUnseen();
  void WriteWhatWasRead();
  void Transact(const std::vector<Change>& changes);
  Change ChangeOf(const ItemRead& read);
  Change ChangeOfAbsent(std::size_t item);
  Change ChangeOfMarks(std::size_t item, const Marks& marks);

  RecordedClient* client_;
  Random random_;
  std::vector<bool> gone_;  // items that this thread saw absent, for good
};

}  // namespace dolmen::test
