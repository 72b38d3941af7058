#include "bench/scale/contenders.h"

#include "bench/dolmen_reader.h"
#include "bench/rocksdb_reader.h"
#include "bench/scale/reads.h"
#include "bench/timed_read.h"

namespace dolmen::bench {
namespace {

template <Point kPoint, typename Workload, typename Reader>
class AtPoint : public TimedRead<Workload, Reader> {
 public:
  std::string name() const override {
    return TimedRead<Workload, Reader>::name() + "/" + std::to_string(kPoint.size);
  }
};

template <Point kPoint>
void Append(std::vector<MeasuredPoint>* points) {
  using Forward = ForwardPage<kPoint>;
  using Newest = NewestPage<kPoint>;
  using Get = PointGet<kPoint>;
  std::vector<std::unique_ptr<Contender>> contenders;
  contenders.push_back(std::make_unique<AtPoint<kPoint, Forward, DolmenReader>>());
  contenders.push_back(std::make_unique<AtPoint<kPoint, Forward, RocksdbReader>>());
  contenders.push_back(std::make_unique<AtPoint<kPoint, Newest, DolmenReader>>());
  contenders.push_back(std::make_unique<AtPoint<kPoint, Newest, RocksdbReader>>());
  contenders.push_back(std::make_unique<AtPoint<kPoint, Get, DolmenItemReader>>());
  contenders.push_back(std::make_unique<AtPoint<kPoint, Get, RocksdbItemReader>>());
  points->push_back({.point = kPoint, .contenders = std::move(contenders)});
}

}  // namespace

std::vector<MeasuredPoint> AllPoints() {
  std::vector<MeasuredPoint> points;
  Append<TablePoint(10'000)>(&points);
  Append<TablePoint(100'000)>(&points);
  Append<TablePoint(1'000'000)>(&points);
  Append<TablePoint(10'000'000)>(&points);
  Append<PartitionPoint(100)>(&points);
  Append<PartitionPoint(1'000)>(&points);
  Append<PartitionPoint(10'000)>(&points);
  Append<PartitionPoint(100'000)>(&points);
  Append<PartitionPoint(1'000'000)>(&points);
  Append<ItemPoint(100)>(&points);
  Append<ItemPoint(1'000)>(&points);
  Append<ItemPoint(10'000)>(&points);
  Append<ItemPoint(100'000)>(&points);
  return points;
}

}  // namespace dolmen::bench
