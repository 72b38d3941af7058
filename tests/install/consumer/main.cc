#include <dolmen/status.h>

#include <cstdio>

int main() {
  const dolmen::Status status;
  std::puts(status.ok() ? "ok" : status.message().c_str());
  return status.ok() ? 0 : 1;
}
