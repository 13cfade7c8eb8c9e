#pragma once
// A file that appears under its final name only when it is whole. The bytes go to a temporary name in the same folder,
// which commit() renames; whoever looks, at whatever moment, finds the previous file, or none, or the complete new one.

#include <cstdio>
#include <filesystem>
#include <string_view>

namespace pliant {

class AtomicFile {
  public:
    /// Creates missing folders and opens the temporary. Throws FileError where nothing could be written.
    explicit AtomicFile(std::filesystem::path path);
    /// Without a commit nothing stays behind.
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Appends. Throws FileError, for instance when the disk is full.
    void write(std::string_view bytes);
    /// Flushes, closes and renames. Throws FileError, and then the final name is as it was before.
    void commit();

  private:
    [[noreturn]] void fail(int error);
    void discard() noexcept;

    std::filesystem::path path_, temporary_;
    std::FILE* file_ = nullptr;
};

/// The whole life of an AtomicFile in one call.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace pliant
