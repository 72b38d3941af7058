// Checks the tables of requirements in the pages of the models. Such a table has the head |
// Requirement | Where | Test |. Each row names the functions and files that meet a requirement of
// the model's document, and the tests that show it. A requirement that the model does not meet has
// a sentence in the column Where, and may have no test.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "models/chat/design.h"
#include "models/course/design.h"
#include "models/org/design.h"
#include "models/patterns/employment/employment.h"
#include "models/patterns/groups/groups.h"
#include "models/patterns/orders/orders.h"
#include "models/patterns/places/places.h"
#include "models/patterns/posts/posts.h"
#include "models/user/design.h"
#include "tests/support/source_directory.h"

namespace dolmen::test {
namespace {

const std::filesystem::path kRoot = SourceFile("");

struct RequirementRow {
  std::string requirement = {};
  std::string where = {};
  std::string test = {};
};

struct RequirementsOf {
  std::string model = {};
  std::vector<TableDesign> designs = {};
  int numbered_patterns = 0;  // the document numbers its access patterns from AP1 to this number
};

std::vector<RequirementsOf> Documents() {
  return {{"chat", {chat::Design()}, 7},
          {"course", {course::Design()}, 7},
          {"org", {org::Design()}},
          {"user", {user::Design()}},
          {"patterns",
           {groups::Design(), employment::Design(), orders::Design(), places::Design(),
            posts::Design()}}};
}

std::string TextOf(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// Returns all matches of the pattern's first group in the text.
std::vector<std::string> AllMatches(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> matches;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
    matches.push_back((*match)[1]);
  }
  return matches;
}

// Returns the texts of the folder's files whose names end with `ending`.
std::string TextsBelow(const std::filesystem::path& folder, std::string_view ending) {
  std::string texts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().string().ends_with(ending)) texts += TextOf(entry.path());
  }
  return texts;
}

// Returns the names Suite.Test of all tests of the repository.
const std::set<std::string>& AllTests() {
  static const std::set<std::string> kTests = [] {
    const std::string text = TextsBelow(kRoot / "tests", "_test.cc");
    const std::regex macro(R"(\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\))");
    std::set<std::string> names;
    for (std::sregex_iterator match(text.begin(), text.end(), macro), end; match != end; ++match) {
      names.insert((*match)[1].str() + "." + (*match)[2].str());
    }
    return names;
  }();
  return kTests;
}

// Returns the rows of all tables of requirements in the page.
std::vector<RequirementRow> ReadRequirements(const std::string& page) {
  static const std::regex kHead(R"(\|\s*Requirement\s*\|\s*Where\s*\|\s*Test\s*\|\s*)");
  static const std::regex kCells(R"(\|(.*)\|(.*)\|(.*)\|\s*)");
  std::vector<RequirementRow> rows;
  bool in_table = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    std::smatch cells;
    if (std::regex_match(line, kHead)) {
      in_table = true;
      std::getline(lines, line);  // the line between the head and the rows
    } else if (in_table && std::regex_match(line, cells, kCells)) {
      rows.push_back({cells[1], cells[2], cells[3]});
    } else {
      in_table = false;
    }
  }
  return rows;
}

class ModelRequirementsTest : public testing::TestWithParam<RequirementsOf> {
 protected:
  ModelRequirementsTest()
      : folder_(kRoot / "models" / GetParam().model),
        rows_(ReadRequirements(TextOf(folder_ / "README.md"))) {}

  void SetUp() override {
    ASSERT_FALSE(rows_.empty()) << folder_ << "/README.md has no table of requirements";
  }

  const std::filesystem::path folder_;
  const std::vector<RequirementRow> rows_;
};

INSTANTIATE_TEST_SUITE_P(Models, ModelRequirementsTest, testing::ValuesIn(Documents()),
                         [](const auto& document) { return document.param.model; });

TEST_P(ModelRequirementsTest, EveryNamedTestExists) {
  for (const RequirementRow& row : rows_) {
    const std::vector<std::string> tests = AllMatches(row.test, R"((\w+\.\w+))");
    const bool has_reason = std::regex_match(row.where, std::regex(R"(.*\.\s*)"));
    EXPECT_TRUE(!tests.empty() || has_reason) << "no test and no reason:" << row.requirement;
    for (const std::string& test : tests) EXPECT_TRUE(AllTests().contains(test)) << test;
  }
}

// A name is the last part of a path such as `EntityTable::Retry`, without its arguments. The next file
// that its row names contains the name. If no file follows, any file of the model or the API contains it.
TEST_P(ModelRequirementsTest, EveryNamedFunctionIsInItsFile) {
  const std::string sources = TextsBelow(folder_, ".h") + TextsBelow(folder_, ".cc") +
                              TextsBelow(kRoot / "api/include/dolmen", ".h");
  for (const RequirementRow& row : rows_) {
    std::vector<std::string> names;
    const auto expect_names_in = [&](const std::string& text, const std::string& file) {
      for (const std::string& name : names) {
        EXPECT_TRUE(std::regex_search(text, std::regex("\\b" + name + "\\b")))
            << row.requirement << ": " << name << " is not in " << file;
      }
      names.clear();
    };
    for (const std::string& quoted : AllMatches(row.where, "`([^`]+)`")) {
      std::smatch name;
      if (std::regex_match(quoted, std::regex(R"([\w/]+\.(h|cc|md))"))) {
        const std::filesystem::path in_model = folder_ / quoted;
        const std::filesystem::path file = exists(in_model) ? in_model : kRoot / quoted;
        EXPECT_TRUE(exists(file)) << quoted;
        expect_names_in(TextOf(file), quoted);
      } else if (std::regex_match(quoted, name, std::regex(R"((?:\w+::)*(\w+)(?:\(.*\))?)"))) {
        names.push_back(name[1]);
      }
    }
    expect_names_in(sources, "the model");
  }
}

TEST_P(ModelRequirementsTest, EveryAccessPatternHasARow) {
  std::string requirements;
  std::string places;
  for (const RequirementRow& row : rows_) {
    requirements += row.requirement + "\n";
    places += row.where + "\n";
  }
  for (int n = 1; n <= GetParam().numbered_patterns; ++n) {
    const std::regex number("\\bAP" + std::to_string(n) + "\\b");
    EXPECT_TRUE(std::regex_search(requirements, number)) << "no row for AP" << n;
  }
  for (const TableDesign& design : GetParam().designs) {
    for (const AccessPattern& pattern : design.patterns()) {
      for (const std::string& method : AllMatches(pattern.method(), R"((\w+))")) {
        EXPECT_THAT(places, testing::HasSubstr(method)) << pattern.name();
      }
    }
  }
}

}  // namespace
}  // namespace dolmen::test
