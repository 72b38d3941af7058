#include "command/command.h"
#include "command/database_command.h"

namespace dolmen::command {

void AddCommands(CLI::App* app, CommandResult* result) {
  AddServeCommand(app, result);
  AddImportCommand(app, result);
  AddExportCommand(app, result);
  AddTablesCommand(app, result);
  AddQueryCommand(app, result);
  AddStatsCommand(app, result);
  AddVerifyCommand(app, result);
}

}  // namespace dolmen::command
