#include "pliant/files/file_table.h"

#include <utility>

namespace pliant {

namespace {
thread_local const FileTable* chosen_files = nullptr;  // NOLINT(*-global-variables): by UseFiles
}

UseFiles::UseFiles(const FileTable& files) : before_(std::exchange(chosen_files, &files)) {}
UseFiles::~UseFiles() { chosen_files = before_; }

const std::string* find_in_memory(const std::string& path)
{
    if (chosen_files == nullptr) return nullptr;
    const auto found = chosen_files->find(path);
    return found != chosen_files->end() ? &found->second : nullptr;
}

}  // namespace pliant
