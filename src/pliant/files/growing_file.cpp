#include "pliant/files/growing_file.h"

#include "pliant/base/check.h"
#include "pliant/files/atomic_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace pliant {

namespace {

[[noreturn]] void fail_growing(const std::string& path, int error)
{
    throw FileError(fmt::format("cannot write '{}': {}", path, std::generic_category().message(error)));
}

/// In one piece: the file has no buffer.
bool write_at(std::FILE* file, long at, std::string_view bytes)
{
    return std::fseek(file, at, SEEK_SET) == 0 && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
}

}  // namespace

GrowingFile::GrowingFile(std::string path, std::string_view head, std::string tail)
    : path_(std::move(path)), tail_(std::move(tail)), end_(static_cast<long>(head.size()))
{
    write_file(path_, std::string(head) + tail_);
    file_ = std::fopen(path_.c_str(), "r+b");
    if (file_ == nullptr) fail_growing(path_, errno);
    std::setvbuf(file_, nullptr, _IONBF, 0);
}

GrowingFile::~GrowingFile()
{
    if (file_ != nullptr) std::fclose(file_);
}

void GrowingFile::append(std::string_view bytes)
{
    const std::string more = std::string(bytes) + tail_;
    if (!write_at(file_, end_, more)) {
        const int error = errno;
        const bool restored = write_at(file_, end_, tail_) && ftruncate(fileno(file_), end_ + std::ssize(tail_)) == 0;
        if (!restored) std::clearerr(file_);
        fail_growing(path_, error);
    }
    end_ += static_cast<long>(bytes.size());
}

}  // namespace pliant
