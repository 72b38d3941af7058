#include <csignal>

#include "command/run_command.h"

int main(int argc, char** argv) {
  // A write beyond the limit of a file's size is then an error, which the command reports.
  std::signal(SIGXFSZ, SIG_IGN);
  return dolmen::command::RunCommand(argc, argv);
}
