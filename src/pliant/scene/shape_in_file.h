#pragma once
// The "shape" of one body of a scene file: what can be wrong with any kind of it, said with file, line and key.

#include "pliant/base/check.h"
#include "pliant/scene/scene_parts.h"

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace pliant {

class ShapeInFile {
  public:
    /// `most` particles are left of what the scene may have; `key` is that of the body's shape.
    ShapeInFile(const std::string& body_path, const SceneSource& source, double most, const char* key = "shape")
        : path_(body_path + "/" + key), source_(source), most_(most)
    {}

    double most() const { return most_; }

    /// About a key of the shape, or with "" about the shape as a whole.
    [[noreturn]] void fail(const char* key, const std::string& message) const;

    /// The same for what is allowed but probably not meant.
    void warn(const char* key, const std::string& message) const;

    /// A key without effect for this kind is an error: the user believes that it does something. `body` is what
    /// the shape is of, `means_something` whether the kind reads a key.
    void check_keys(const char* body, const char* kind,
                    const std::function<bool(const std::string&)>& means_something) const;

    void check_points(const char* key, const std::vector<Vec3d>& points) const;

    /// Refuses what asks for too many particles, before memory is touched.
    void check_count(const char* key, double count, const std::string& remedy) const;

    /// What the library itself finds wrong, with the place in the file.
    template <class Make>
    auto located(const char* key, Make&& make) const
    {
        try {
            return make();
        } catch (const InputError& error) {
            fail(key, error.what());
        }
    }

    /// Reads the file that the shape names. If it cannot be read, that is an error in the scene.
    template <class Reader>
    auto read(const std::string& file, const char* kind, Reader&& reader) const
    {
        const std::string path = find_file(file, kind);
        try {
            return reader(path);
        } catch (const std::runtime_error& error) {
            fail("file", error.what());
        }
    }

  private:
    std::string find_file(const std::string& file, const char* kind) const;

    std::string path_;
    const SceneSource& source_;
    double most_;
};

}  // namespace pliant
