#pragma once
// A binary file that grows while a run goes on, whose beginning is written anew as it does: counts, mostly. It lies under its
// final name, and is whole after every change if the writer first appends and then updates the count.

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace pliant {

class StreamFile {
  public:
    enum class Start { empty, as_it_is };

    /// A missing folder is created if its parent exists. Throws FileError.
    StreamFile(std::string path, Start start);
    ~StreamFile();
    StreamFile(const StreamFile&) = delete;
    StreamFile& operator=(const StreamFile&) = delete;

    const std::string& path() const { return path_; }
    std::int64_t size() const { return size_; }

    /// Each throws FileError.
    void append(std::string_view bytes);
    void overwrite(std::int64_t at, std::string_view bytes);
    /// Cuts it off. Throws FileError if it is shorter.
    void shrink(std::int64_t size);
    std::string read(std::int64_t at, std::size_t count) const;

  private:
    [[noreturn]] void fail(const char* action) const;

    std::string path_;
    std::FILE* file_ = nullptr;
    std::int64_t size_ = 0;
};

}  // namespace pliant
