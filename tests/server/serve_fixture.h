// A fixture that runs `dolmen serve` as a process of its own.

#pragma once

#include <gmock/gmock.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/child_process.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {

// Runs the command. Reports its process id first. The first argument is the file for standard
// error, and the others are the command line. Standard output goes to the test.
int Dolmen(const ChildArguments& arguments);
extern const ChildRole kDolmen;

// Return requests on the table "app", which has the string key `id`: PutItem and CreateTable.
std::string Put(const std::string& id, const std::string& text = "");
std::string CreateApp();

class ServeFixture : public testing::Test {
 protected:
  class Running {
   public:
    Running(const ChildRole& role, const ChildArguments& arguments);

    // Waits until the server has printed its address, and returns its port.
    std::uint16_t Port();
    void Signal(int signal) const;
    std::size_t OpenDescriptors() const;
    ChildProcess& child() { return child_; }

   private:
    ChildProcess child_;
    pid_t pid_;
  };

  Running Run(std::vector<std::string> words, const ChildRole& role = kDolmen);
  // Returns the response of the server at the port to a Scan that counts the items of "app".
  static std::string CountAt(std::uint16_t port);
  // Returns what the process wrote to standard error.
  std::string Errors() const;

  TempDirectory directory_;
  std::string errors_file_ = directory_ / "errors";
};

}  // namespace dolmen::test
