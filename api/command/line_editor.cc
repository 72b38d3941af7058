#include "command/line_editor.h"

#include <fcntl.h>
#include <histedit.h>
#include <langinfo.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <utility>

#include "command/screen.h"
#include "command/text.h"

namespace dolmen::command {
namespace {

constexpr int kHistoryLines = 1000;
// A history file that is larger is written anew, with its last kHistoryLines lines.
constexpr off_t kHistoryBytesMax = 1'000'000;
constexpr std::size_t kCandidatesShown = 200;

std::size_t CommonLength(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

// Returns the longest text with which all candidates begin, in whole characters of UTF-8.
std::string CommonStart(const std::vector<std::string>& candidates) {
  std::string start = candidates.front();
  for (const std::string& candidate : candidates) start.resize(CommonLength(start, candidate));
  const std::string& first = candidates.front();
  const auto is_inside = [&](std::size_t at) {
    return at < first.size() && (static_cast<unsigned char>(first[at]) & 0xC0U) == 0x80U;
  };
  while (!start.empty() && is_inside(start.size())) start.pop_back();
  return start;
}

// Returns the candidates in columns that fit into the terminal.
std::string InColumns(const std::vector<std::string>& candidates) {
  std::size_t widest = 1;
  for (const std::string& candidate : candidates) {
    widest = std::max(widest, ColumnsOf(candidate) + 2);
  }
  const std::size_t in_line = std::max<std::size_t>(1, TerminalSize().columns / widest);
  std::string text;
  const std::size_t shown = std::min(candidates.size(), kCandidatesShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const bool is_last = (i + 1) % in_line == 0 || i + 1 == shown;
    text.append(Printable(candidates[i]));
    if (!is_last) text.append(widest - ColumnsOf(candidates[i]), ' ');
    if (is_last) text.push_back('\n');
  }
  if (shown < candidates.size()) {
    text.append("... and " + CountText(candidates.size() - shown) + " more\n");
  }
  return text;
}

// The encoding of characters must be UTF-8, because the editor would damage other texts.
void UseUtf8() {
  std::setlocale(LC_CTYPE, "");
  if (std::string_view(::nl_langinfo(CODESET)) != "UTF-8") std::setlocale(LC_CTYPE, "C.UTF-8");
}

}  // namespace

struct LineEditor::State {
  EditLine* editor = nullptr;
  History* history = nullptr;
  std::string history_file;
  Completer completer;
  std::string prompt;
  bool is_canceled = false;

  static State* Of(EditLine* editor) {
    void* state = nullptr;
    ::el_get(editor, EL_CLIENTDATA, &state);
    return static_cast<State*>(state);
  }

  static const char* Prompt(EditLine* editor) { return Of(editor)->prompt.c_str(); }

  // Ends the line. The terminal does not send a signal while a line is edited.
  static unsigned char Cancel(EditLine* editor, wint_t) {
    Of(editor)->is_canceled = true;
    return CC_NEWLINE;
  }

  // Completes the word before the cursor, or lists its completions.
  static unsigned char Complete(EditLine* editor, wint_t) {
    const LineInfo* line = ::el_line(editor);
    const std::string before(line->buffer, line->cursor);
    const std::string after(line->cursor, line->lastchar);
    const Completion found = Of(editor)->completer(before, after);
    if (found.candidates.empty()) return CC_REFRESH_BEEP;
    const std::string typed = before.substr(std::min(found.begin, before.size()));
    std::string text = CommonStart(found.candidates);
    const bool is_only = found.candidates.size() == 1;
    if (is_only && text.back() != '(' && (after.empty() || after[0] != ' ')) text += ' ';
    if (text.size() <= typed.size() && !is_only) {
      std::fputs(("\n" + InColumns(found.candidates)).c_str(), stdout);
      std::fflush(stdout);
      return CC_REDISPLAY;
    }
    ::el_deletestr(editor, static_cast<int>(ColumnsOf(typed)));
    ::el_insertstr(editor, text.c_str());
    return CC_REFRESH;
  }

  void Bind() {
    ::el_set(editor, EL_CLIENTDATA, this);
    ::el_set(editor, EL_PROMPT, &State::Prompt);
    ::el_set(editor, EL_EDITOR, "emacs");
    ::el_set(editor, EL_HIST, ::history, history);
    // The wide form borrows the texts. The other form copies them and never frees the copies.
    ::el_wset(editor, EL_ADDFN, L"statement-complete", L"Complete", &State::Complete);
    ::el_wset(editor, EL_ADDFN, L"statement-cancel", L"Cancel", &State::Cancel);
    ::el_set(editor, EL_BIND, "^I", "statement-complete", nullptr);
    ::el_set(editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    ::el_source(editor, nullptr);  // the user's ~/.editrc
    ::el_set(editor, EL_SETTY, "-d", "-isig", nullptr);
    // The editor prints the prompt before it changes the terminal. In the time between, without this
    // line, Ctrl-C would end the shell and Ctrl-D would be lost.
    ::el_set(editor, EL_SETTY, "-x", "-isig", "eof=", nullptr);
    ::el_set(editor, EL_BIND, "^C", "statement-cancel", nullptr);
  }

  void LoadHistory() {
    HistEvent event{};
    ::history(history, &event, H_SETSIZE, kHistoryLines);
    ::history(history, &event, H_SETUNIQUE, 1);
    if (history_file.empty()) return;
    ::history(history, &event, H_LOAD, history_file.c_str());
    struct stat file {};
    if (::stat(history_file.c_str(), &file) == 0 && file.st_size > kHistoryBytesMax) {
      ::history(history, &event, H_SAVE, history_file.c_str());
    }
  }

  // Appends the last line of the history to the file, so that shells that run at the same time keep
  // each other's lines.
  void AppendToFile() const {
    constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;
    const int descriptor =
        ::open(history_file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kOwnerOnly);
    if (descriptor < 0) return;
    ::fchmod(descriptor, kOwnerOnly);
    std::FILE* file = ::fdopen(descriptor, "a");
    if (file == nullptr) {
      ::close(descriptor);
      return;
    }
    std::fseek(file, 0, SEEK_END);
    HistEvent event{};
    // The library writes one line more than the number that it is given.
    ::history(history, &event, H_NSAVE_FP, std::size_t{0}, file);
    std::fclose(file);
  }
};

LineEditor::LineEditor(std::string history_file, Completer completer)
    : state_(std::make_unique<State>()) {
  UseUtf8();
  state_->history_file = std::move(history_file);
  state_->completer = std::move(completer);
  state_->editor = ::el_init("dolmen", stdin, stdout, stderr);
  state_->history = ::history_init();
  state_->LoadHistory();
  state_->Bind();
}

LineEditor::~LineEditor() {
  ::el_end(state_->editor);
  ::history_end(state_->history);
}

LineEditor::Line LineEditor::Read(const std::string& prompt) {
  state_->prompt = prompt;
  state_->is_canceled = false;
  int length = 0;
  const char* text = ::el_gets(state_->editor, &length);
  if (text == nullptr || length <= 0) return {.is_end = true};
  Line line{.text = text, .is_canceled = state_->is_canceled};
  while (!line.text.empty() && line.text.back() == '\n') line.text.pop_back();
  return line;
}

void LineEditor::Remember(const std::string& text) {
  if (text.empty() || text[0] == ' ') return;
  HistEvent event{};
  ::history(state_->history, &event, H_ENTER, text.c_str());
  if (!state_->history_file.empty()) state_->AppendToFile();
}

}  // namespace dolmen::command
