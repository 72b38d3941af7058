#include "c/dolmen.h"
#include "command/run_command.h"

int main() {
#ifdef PLANTED
  // undefined: dolmen_abi'
  if (dolmen_abi() == 0) return 1;
#endif
  const char* const arguments[] = {"dolmen", "--help"};
  return dolmen::command::RunCommand(2, arguments);
}
