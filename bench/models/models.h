// The models of this repository, as rows of dolmen_model_bench. Each function is in the source of its
// name.
//
// To add a model, add a source and a function. A size is a number of items of the model, about. The
// items that a pattern writes belong to partitions that no other pattern reads.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dolmen::bench {

void AddChat();
void AddCourse();
void AddOrg();
void AddPatterns();
void AddUser();

// The sizes of each model.
inline std::vector<std::size_t> ModelSizes() { return {1'000, 100'000}; }

// Returns the id "<letter><number>".
inline std::string Id(char letter, std::size_t number) { return letter + std::to_string(number); }

}  // namespace dolmen::bench
