#pragma once
// A file that grows frame by frame and is whole after every addition: a list whose closing brackets, its tail, are written
// anew each time. An addition is one write: a process that is killed leaves the file as it was before or after it. (Only a
// kill in the midst of that write, some microseconds a frame, can leave part of an addition; whoever goes on from the file
// cuts it off.)

#include <cstdio>
#include <string>
#include <string_view>

namespace pliant {

class GrowingFile {
  public:
    /// Writes head and tail, in place of a file that may be there. Throws FileError.
    GrowingFile(std::string path, std::string_view head, std::string tail);
    ~GrowingFile();
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;

    /// Throws FileError, for instance when the disk is full; the file is then as it was before.
    void append(std::string_view bytes);

  private:
    std::string path_, tail_;
    long end_ = 0;  // where the tail begins [bytes]
    std::FILE* file_ = nullptr;
};

}  // namespace pliant
