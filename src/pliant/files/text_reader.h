#pragma once
// Splits a text file into lines and words, and knows the current line for error messages. Shared by the mesh readers.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

class TextReader {
  public:
    /// Reads the whole file; FileError if that fails, InputError if there is nothing in it.
    explicit TextReader(const std::string& path);
    /// For text that has already been read.
    TextReader(std::string path, std::string text);

    /// The next line without its end, or false at the end of the file.
    bool next_line(std::string_view& line);
    /// The next line that has words on it, in words; none at the end of the file.
    std::vector<std::string_view> next_words();
    /// The next word, from this line or a later one; empty at the end of the file.
    std::string_view next_word();
    /// What next_word will return.
    std::string_view peek_word() const;

    /// The next word as a number, as in number_from.
    double next_number(const char* what);
    std::int64_t next_integer(const char* what);

    /// The word as a finite number or as an integer; an InputError that says `what` was expected if it is not.
    double number_from(std::string_view word, const char* what) const;
    std::int64_t integer_from(std::string_view word, const char* what) const;

    /// Throws an InputError with path, line and message.
    [[noreturn]] void fail(const std::string& message) const;
    /// The same about another line.
    [[noreturn]] void fail_at(int line, const std::string& message) const;

    int line() const { return line_; }

  private:
    std::string path_;
    std::string text_;
    std::size_t at_ = 0;  // first character not yet taken
    int line_ = 1;        // of the last line or word taken
    int next_line_number_ = 1;
};

/// The words of a line, separated by blanks or any of `separators`.
std::vector<std::string_view> split_words(std::string_view line, std::string_view separators = "");

/// The word that starts after any blanks; empty if there is none.
std::string_view first_word(std::string_view text);

/// A word for a message: shortened, in quotes, without control characters.
std::string quoted(std::string_view word);

/// Parses a word as a number, which may be infinite or NaN; false if it is not one.
bool parse_number(std::string_view word, double& value);

/// All of a file, up to 2 GB; FileError if it cannot be read.
std::string read_bytes(const std::string& path);

}  // namespace pliant
