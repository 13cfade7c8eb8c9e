#include "pliant/files/stream_file.h"

#include "pliant/base/check.h"
#include "pliant/files/atomic_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace pliant {

StreamFile::StreamFile(std::string path, Start start) : path_(std::move(path))
{
    if (start == Start::empty) write_file(path_, "");
    file_ = std::fopen(path_.c_str(), "r+b");
    if (file_ == nullptr || std::fseek(file_, 0, SEEK_END) != 0) fail("open");
    size_ = std::ftell(file_);
    std::setvbuf(file_, nullptr, _IONBF, 0);
}

StreamFile::~StreamFile()
{
    if (file_ != nullptr) std::fclose(file_);
}

void StreamFile::fail(const char* action) const
{
    throw FileError(fmt::format("cannot {} '{}': {}", action, path_, std::generic_category().message(errno)));
}

void StreamFile::append(std::string_view bytes)
{
    overwrite(size_, bytes);
    size_ += std::ssize(bytes);
}

void StreamFile::overwrite(std::int64_t at, std::string_view bytes)
{
    if (std::fseek(file_, static_cast<long>(at), SEEK_SET) != 0 ||
        std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size())
        fail("write");
}

void StreamFile::shrink(std::int64_t size)
{
    if (size > size_)
        throw FileError(fmt::format(
            "'{}' is shorter than the run to resume has written; run without --resume to start again", path_));
    if (ftruncate(fileno(file_), size) != 0) fail("shorten");
    size_ = size;
}

std::string StreamFile::read(std::int64_t at, std::size_t count) const
{
    std::string bytes(count, '\0');
    if (std::fseek(file_, static_cast<long>(at), SEEK_SET) != 0 || std::fread(bytes.data(), 1, count, file_) != count)
        fail("read");
    return bytes;
}

}  // namespace pliant
