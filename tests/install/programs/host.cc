// A program of an external project that knows nothing of Dolmen. It loads the plug-in argv[1].

#include <dlfcn.h>

#include <cstdio>

int main(int, char** argv) {
  void* plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) return std::puts(dlerror());
  const auto count_tables = reinterpret_cast<int (*)()>(dlsym(plugin, "CountTables"));
  const int count = count_tables == nullptr ? -1 : count_tables();
  std::printf("The plug-in counts %d table(s)\n", count);
  return count == 1 ? 0 : 1;
}
