#include "command/run_command.h"

int main(int argc, char** argv) { return dolmen::command::RunCommand(argc, argv); }
