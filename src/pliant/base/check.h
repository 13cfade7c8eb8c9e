#pragma once
// How the library says that something is wrong.
//
//   InputError   a scene, a mesh or a parameter is unusable; says which, and what to do about it
//   FileError    a file could not be read or written
//   PLIANT_ASSERT  a promise inside the library is broken: a bug of ours, never of the user's

#include <stdexcept>
#include <string>

namespace pliant {

/// Bad input. The message names the file, the key, the value and the remedy, as far as they exist.
class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A file that could not be read or written. The message names the file and the system's reason.
class FileError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

[[noreturn]] void fail_assertion(const char* condition, const char* file, int line);

}  // namespace pliant

#ifdef PLIANT_ASSERTIONS
#define PLIANT_ASSERT(condition) ((condition) ? (void)0 : ::pliant::fail_assertion(#condition, __FILE__, __LINE__))
#else
#define PLIANT_ASSERT(condition) ((void)sizeof(!(condition)))
#endif
