// Workloads that open a database and close it again.

#pragma once

#include <string>
#include <utility>

#include "bench/contender.h"

namespace dolmen::bench {

// `Opener` is how it is done:
//   static std::string Name();        // "<workload>/<store>"
//   Status Prepare(Stores& stores);   // makes what is there before it is opened
//   Result<...> Open();               // whose value, when it is destroyed, closes what was opened
//   Status Check(... opened);         // that what was opened is as it should be; takes that value
template <typename Opener>
class OpenRow : public Contender {
 public:
  std::string name() const override { return Opener::Name(); }
  // Much of it is waiting: for files, and for the threads of the database.
  bool takes_real_time() const override { return true; }

  Status Prepare(Stores& stores) override {
    if (Status prepared = opener_.Prepare(stores); !prepared.ok()) return prepared;
    auto opened = opener_.Open();
    return opened.ok() ? opener_.Check(*std::move(opened)) : opened.status();
  }

  void Time(benchmark::State& state) override {
    for ([[maybe_unused]] auto iteration : state) {
      const Status status = opener_.Open().status();
      if (status.ok()) continue;
      state.SkipWithError(status.ToString().c_str());
      break;
    }
  }

 private:
  Opener opener_;
};

}  // namespace dolmen::bench
