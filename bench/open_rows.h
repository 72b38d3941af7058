// Workloads that measure opening and closing a database.

#pragma once

#include <string>
#include <utility>

#include "bench/contender.h"

namespace dolmen::bench {

// A contender that opens and closes a database. `Opener` has these members:
//   static std::string Name();        // "<workload>/<store>"
//   Status Prepare(Stores& stores);   // creates the files of the database
//   Result<...> Open();               // the destructor of the value closes the database
//   Status Check(... opened);         // checks the contents; takes the value of Open
//   void Clear();                     // optional: removes what Open has made, outside the timing
template <typename Opener>
class OpenRow : public Contender {
 public:
  std::string name() const override { return Opener::Name(); }
  // The row reports wall-clock time. CPU time contains neither the work of other threads nor the
  // wait for files.
  bool takes_real_time() const override { return true; }

  Status Prepare(Stores& stores) override {
    if (Status prepared = opener_.Prepare(stores); !prepared.ok()) return prepared;
    Clear();
    auto opened = opener_.Open();
    return opened.ok() ? opener_.Check(*std::move(opened)) : opened.status();
  }

  void Time(benchmark::State& state) override {
    for ([[maybe_unused]] auto iteration : state) {
      if constexpr (kClears) {
        state.PauseTiming();
        Clear();
        state.ResumeTiming();
      }
      const Status status = opener_.Open().status();
      if (status.ok()) continue;
      state.SkipWithError(status.ToString().c_str());
      break;
    }
  }

 private:
  static constexpr bool kClears = requires(Opener opener) { opener.Clear(); };

  void Clear() {
    if constexpr (kClears) opener_.Clear();
  }

  Opener opener_;
};

}  // namespace dolmen::bench
