// dolmen_model_bench times the access patterns of the models: models.h.

#include "bench/models/models.h"
#include "dolmen/design/benchmark.h"

int main(int argc, char** argv) {
  dolmen::bench::AddChat();
  dolmen::bench::AddCourse();
  dolmen::bench::AddOrg();
  dolmen::bench::AddPatterns();
  dolmen::bench::AddUser();
  return dolmen::RunModelBenchmarks(argc, argv);
}
