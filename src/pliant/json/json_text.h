#pragma once
// JSON with line numbers. Comments (// and /* */) are allowed, duplicate keys are not.
//
// A JsonText is the document and, in a tree of the same shape, the line of every value. A JsonCursor
// walks both and collects what is wrong as `scenes/x.json:12: solids/0/density: must be ...`, so that
// one look shows all problems of a file. No public header includes this one: nlohmann-json stays inside.

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

using Json = nlohmann::ordered_json;

/// The line of a value, and of the values inside it.
struct SourceLines {
    int line = 0;                    // from 1; of the key for a member of an object
    std::vector<SourceLines> items;  // per element or member, in the order of the document
};

/// The line of a value that was given by `--set`.
inline constexpr int kSetLine = -1;

struct JsonText {
    std::string source;  // what messages call it, such as its path
    Json root;
    SourceLines lines;
};

/// Throws InputError with source and line if the text is not JSON, is nested too deeply or has a duplicate key.
JsonText parse_json(std::string_view text, std::string source);

/// The content of a file. Throws FileError.
std::string read_text_file(const std::string& path);

/// The problems of an input, collected.
class Problems {
  public:
    void add(std::string text);
    bool none() const { return texts_.empty(); }
    /// Throws InputError with a line for each problem, if there is any.
    void raise() const;

  private:
    std::vector<std::string> texts_;
    int left_out_ = 0;
};

/// A value of a document, and where it is.
class JsonCursor {
  public:
    JsonCursor(const JsonText& text, Problems& problems) : JsonCursor(text, problems, text.root, text.lines, "") {}

    const Json& value() const { return *value_; }
    const std::string& path() const { return path_; }

    std::size_t size() const { return value_->size(); }
    /// The key of a member of an object, by its position.
    const std::string& key(std::size_t position) const;
    /// An element of an array or a member of an object, by its position.
    JsonCursor item(std::size_t position) const;
    /// The value at a path such as `solids/0/shape`, or the last one on the way there that exists.
    JsonCursor descend(std::string_view path) const;

    /// `FILE:LINE: solids/0: `, ready for a message.
    std::string place() const;
    void report(std::string_view text) const;
    /// `must be WHAT, is VALUE`
    void report_not(std::string_view what) const;
    void report_unknown_key(std::size_t position, std::span<const std::string> known) const;

  private:
    JsonCursor(const JsonText& text, Problems& problems, const Json& value, const SourceLines& lines, std::string path)
        : text_(&text), problems_(&problems), value_(&value), lines_(&lines), path_(std::move(path))
    {}

    const JsonText* text_;
    Problems* problems_;
    const Json* value_;
    const SourceLines* lines_;
    std::string path_;
};

/// `FILE:LINE: PATH: ` for any path, also one that is not in the file: the line is then that of its parent.
std::string place_of(const JsonText& text, std::string_view path);

/// Adds a member without searching for its key, which would be slow in an object with thousands.
void append_member(std::string key, Json value, Json& object);

/// A value on one line, cut where it is long.
std::string brief(const Json& value);

}  // namespace pliant
