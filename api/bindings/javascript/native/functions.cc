#include "bindings/javascript/native/functions.h"

namespace dolmen_node {
namespace {

using enum Argument;

void Open(Call* call) {
  call->status =
      dolmen_open_directory(call->text(0), call->text(1), &call->created, &call->response);
}

void Restore(Call* call) {
  call->status = dolmen_restore(call->text(0), call->text(1), call->text(2), &call->response);
}

void ExecuteRequest(Call* call) {
  call->status = dolmen_execute(call->database->get(), call->text(0), call->text(1), call->size(1),
                                &call->response);
}

void Fork(Call* call) {
  call->status = dolmen_fork(call->database->get(), call->text(0), &call->created, &call->response);
}

void Reset(Call* call) { call->status = dolmen_reset(call->database->get(), &call->response); }

void Expire(Call* call) { call->status = dolmen_expire(call->database->get(), &call->response); }

void Wait(Call* call) { call->status = dolmen_wait(call->database->get(), &call->response); }

void Backup(Call* call) {
  call->status = dolmen_backup(call->database->get(), call->text(0), &call->response);
}

void LoadSeed(Call* call) {
  call->status =
      dolmen_load_seed(call->database->get(), call->text(0), call->size(0), &call->response);
}

void Clock(Call* call) {
  call->status = dolmen_clock(call->database->get(), &call->milliseconds, &call->response);
}

void SetClock(Call* call) {
  call->status = dolmen_set_clock(call->database->get(), call->number, &call->response);
}

void Simulate(Call* call) {
  call->status =
      dolmen_simulate(call->database->get(), call->text(0), call->size(0), &call->response);
}

void Trace(Call* call) { call->status = dolmen_trace(call->database->get(), &call->response); }

constexpr Definition kDefinitions[] = {
    {"open", Open, {kOptionalBytes, kText}, false},
    {"restore", Restore, {kBytes, kBytes, kOptionalText}, false},
    {"execute", ExecuteRequest, {kText, kBytes}},
    {"fork", Fork, {kOptionalBytes}},
    {"reset", Reset},
    {"expire", Expire},
    {"wait", Wait},
    {"backup", Backup, {kBytes}},
    {"loadSeed", LoadSeed, {kBytes}},
    {"clock", Clock},
    {"setClock", SetClock, {kNumber}},
    {"simulate", Simulate, {kBytes}},
    {"trace", Trace},
};

}  // namespace

std::span<const Definition> Definitions() { return kDefinitions; }

}  // namespace dolmen_node
