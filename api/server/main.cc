#include "server/command.h"

int main(int argc, char** argv) { return dolmen::server::RunCommand(argc, argv); }
