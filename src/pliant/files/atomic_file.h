#pragma once
// A file that appears under its final name only when it is complete. The bytes go to a temporary file in the same
// folder, which commit() renames; a reader always finds the previous file, or none, or the complete new one. A symbolic
// link stays, and the file that it points to is replaced. What is not a regular file (a pipe, a device, standard
// output) cannot be replaced: bytes go straight into it.

#include <cstdio>
#include <string>
#include <string_view>

namespace pliant {

/// Standard output, where a path is asked for.
inline constexpr const char* kStandardOutput = "-";

/// Whether a path means standard output: "-", or the names that Linux has for it, such as /dev/stdout.
bool is_standard_output(const std::string& path);

/// Whether bytes written to a path go straight into it: standard output, a pipe, a device.
bool is_stream(const std::string& path);

class AtomicFile {
  public:
    /// Opens the temporary file. A missing folder is created if its parent exists. Throws FileError if nothing can be
    /// written.
    explicit AtomicFile(std::string path);
    /// Without a commit the temporary is removed.
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Appends. Throws FileError, for instance when the disk is full.
    void write(std::string_view bytes);
    /// Flushes, closes and renames. If it throws FileError, the file under the final name is unchanged.
    void commit();

  private:
    void open_stream();
    void open_temporary();
    /// Closes the file. Returns 0 or errno.
    int close() noexcept;
    [[noreturn]] void fail(int error);
    [[noreturn]] void fail(const std::string& reason);
    void discard() noexcept;

    std::string path_;       // as given
    std::string target_;     // with links resolved
    std::string temporary_;  // empty: straight into the target
    std::FILE* file_ = nullptr;
};

/// The whole life of an AtomicFile in one call.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace pliant
