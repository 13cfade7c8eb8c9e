#include "pliant/files/obj_file.h"

#include "pliant/files/text_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace pliant {

namespace {

class ObjReader {
  public:
    explicit ObjReader(const std::string& path) : reader_(path) {}

    PolygonMesh read()
    {
        while (next_statement()) take_statement();
        check_references();
        return std::move(mesh_);
    }

  private:
    /// The words of the next statement, without comments; a backslash at the end of a line continues it on the next.
    bool next_statement()
    {
        std::string_view line;
        words_.clear();
        bool more = false;
        while ((words_.empty() || more) && reader_.next_line(line)) {
            if (words_.empty()) line_ = reader_.line();
            for (const std::string_view word : split_words(line)) {
                if (word.starts_with('#')) break;  // inside a word it is part of a name
                words_.push_back(word);
            }
            more = !words_.empty() && words_.back().ends_with('\\');
            if (!more) continue;
            words_.back().remove_suffix(1);
            if (words_.back().empty()) words_.pop_back();
        }
        return !words_.empty();
    }

    void take_statement()
    {
        const std::string_view kind = words_[0];
        if (kind == "v") take_vertex();
        else if (kind == "vt") take_uv();
        else if (kind == "f" || kind == "fo") take_face();
        else if (kind == "o") object_ = label(mesh_.faces.objects);
        else if (kind == "g") group_ = label(mesh_.faces.groups);
        else if (kind == "usemtl") material_ = label(mesh_.faces.materials);
        else if (kind == "mtllib" && words_.size() > 1) mesh_.faces.material_files.push_back(joined_words());
    }

    void take_vertex()
    {
        if (words_.size() < 4)
            reader_.fail(fmt::format("a vertex has 3 numbers, but the line has {}", words_.size() - 1));
        const double x = reader_.number_from(words_[1], "x of a vertex"),
                     y = reader_.number_from(words_[2], "y of a vertex");
        mesh_.vertices.push_back({x, y, reader_.number_from(words_[3], "z of a vertex")});
    }

    void take_uv()
    {
        if (words_.size() < 2) reader_.fail("a texture coordinate has 1 to 3 numbers, but the line has none");
        const double u = reader_.number_from(words_[1], "u of a texture coordinate");
        const double v = words_.size() > 2 ? reader_.number_from(words_[2], "v of a texture coordinate") : 0;
        mesh_.faces.uvs.push_back({u, v});
    }

    /// `f 1 2 3`, `f 1/1 2/2 3/3`, `f 1//1 ...`, `f 1/1/1 ...`, or counted back from the latest: `f -3 -2 -1`.
    void take_face()
    {
        if (words_.size() < 4)
            reader_.fail(fmt::format("a face has 3 corners or more, but the line has {}", words_.size() - 1));
        corners_.clear();
        uvs_.clear();
        for (const std::string_view word : std::span(words_).subspan(1)) {
            const std::size_t slash = std::min(word.find('/'), word.size());
            corners_.push_back(index_from(word.substr(0, slash), mesh_.vertices.size(), "vertex"));
            const std::string_view rest = word.substr(std::min(slash + 1, word.size()));
            const std::string_view uv = rest.substr(0, rest.find('/'));
            uvs_.push_back(uv.empty() ? -1 : index_from(uv, mesh_.faces.uvs.size(), "texture coordinate"));
        }
        mesh_.faces.add(corners_, uvs_, object_, group_, material_);
        lines_.push_back(line_);
    }

    /// Counted from 0. A vertex that has not been defined yet may follow: check_references checks again at the end.
    int index_from(std::string_view word, std::size_t count, const char* what) const
    {
        if (word.empty()) reader_.fail("a corner of the face has no vertex; export it again");
        const std::int64_t number = reader_.integer_from(word, "the number in a corner of a face");
        const std::int64_t index = number > 0 ? number - 1 : static_cast<std::int64_t>(count) + number;
        if (number == 0 || index < 0 || index >= INT32_MAX)
            reader_.fail(
                fmt::format("the face uses {} {}, but {} are above this line; they count from 1 on, or from -1 "
                            "back; export it again",
                            what, number, count));
        return static_cast<int>(index);
    }

    void check_references() const
    {
        const auto check = [&](int i, std::span<const int> used, std::size_t count, const char* what) {
            for (const int k : used)
                if (k >= static_cast<std::int64_t>(count))
                    reader_.fail_at(
                        lines_[static_cast<std::size_t>(i)],
                        fmt::format("the face uses {} {}, but the file has {}; export it again", what, k + 1, count));
        };
        for (int i = 0; i < mesh_.faces.size(); ++i) {
            check(i, mesh_.faces.face(i), mesh_.vertices.size(), "vertex");
            check(i, mesh_.faces.face_uvs(i), mesh_.faces.uvs.size(), "texture coordinate");
        }
    }

    std::string joined_words() const
    {
        std::string joined;
        for (std::size_t i = 1; i < words_.size(); ++i) joined.append(i > 1 ? " " : "").append(words_[i]);
        return joined;
    }

    int label(FaceLabels& labels) const { return words_.size() < 2 ? -1 : labels.index_of(joined_words()); }

    TextReader reader_;
    PolygonMesh mesh_;
    std::vector<std::string_view> words_;  // of the statement
    int line_ = 0;                         // where it starts
    std::vector<int> lines_;               // per face
    std::vector<int> corners_, uvs_;       // of a face
    int object_ = -1, group_ = -1, material_ = -1;
};

}  // namespace

PolygonMesh read_obj(const std::string& path) { return ObjReader(path).read(); }

}  // namespace pliant
