#pragma once
// Files that are in memory: those that were dropped onto a page, or that came with a recording. Readers look here first.
//
//   const UseFiles scope(table);   // reads of this thread find them until the end of the scope
//   read_scene_text(text, "scene");

#include <map>
#include <string>

namespace pliant {

using FileTable = std::map<std::string, std::string>;  // bytes by name

class UseFiles {
  public:
    explicit UseFiles(const FileTable& files);
    ~UseFiles();
    UseFiles(const UseFiles&) = delete;
    UseFiles& operator=(const UseFiles&) = delete;

  private:
    const FileTable* before_;
};

/// The bytes of the file of that path; null for none in memory.
const std::string* find_in_memory(const std::string& path);

}  // namespace pliant
