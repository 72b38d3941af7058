#include "dolmen/entity/counter.h"

namespace dolmen {
namespace {

Changes<CounterShard> Addition(std::int64_t number) {
  return Changes<CounterShard>().Add<&CounterShard::count>(number).OrCreate();
}

}  // namespace

CounterShard Counter::AnyShard() const {
  return {.counter = name_, .shard = Sharded<10>::OfHash(table_.NewUlid())};
}

Status Counter::Add(std::int64_t number) const {
  return table_.Update(AnyShard(), Addition(number)).status();
}

void Counter::Add(std::int64_t number, EntityTransaction* transaction) const {
  transaction->Update(AnyShard(), Addition(number));
}

Result<std::int64_t> Counter::Value() const {
  return table_.Query<CounterShard>()
      .With<&CounterShard::counter>(name_)
      .AllShards<&CounterShard::shard>()
      .Sum<&CounterShard::count>();
}

}  // namespace dolmen
