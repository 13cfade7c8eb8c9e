#include "pliant/scene/shape_in_file.h"

#include "pliant/files/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {

void ShapeInFile::fail(const char* key, const std::string& message) const
{
    source_.fail(*key == '\0' ? path_ : fmt::format("{}/{}", path_, key), message);
}

void ShapeInFile::warn(const char* key, const std::string& message) const
{
    source_.warn(*key == '\0' ? path_ : fmt::format("{}/{}", path_, key), message);
}

void ShapeInFile::check_keys(const char* body, const char* kind,
                             const std::function<bool(const std::string&)>& means_something) const
{
    Problems none;
    const JsonCursor at = JsonCursor(source_.text, none).descend(path_);
    if (at.path() != path_) source_.fail(path_, fmt::format("is missing; say what the {} is made of", body));
    for (std::size_t i = 0; i < at.size(); ++i) {
        const std::string& key = at.key(i);
        if (key != "kind" && !means_something(key))
            fail(key.c_str(), fmt::format("means nothing for the kind \"{}\"; remove it", kind));
    }
}

void ShapeInFile::check_points(const char* key, const std::vector<Vec3d>& points) const
{
    if (points.empty()) fail(key, "there are no points: the body is empty");
    for (const Vec3d& p : points)
        if (!std::isfinite(p.x + p.y + p.z)) fail(key, "a point is not finite");
}

void ShapeInFile::check_count(const char* key, double count, const std::string& remedy) const
{
    if (count <= most_) return;
    fail(key, fmt::format(
                  "asks for {:.0f} particles, and {:.0f} are the most that are left of the {} that a scene may have{}",
                  count, std::max(0.0, most_), kMostParticles, remedy));
}

std::string ShapeInFile::find_file(const std::string& file, const char* kind) const
{
    if (file.empty()) fail("file", fmt::format("is missing; name the file of the {}", kind));
    std::string path = join_paths(source_.folder, file);
    if (!path_exists(path))
        fail("file", fmt::format("there is no file {}; paths are relative to the scene file", path));
    return path;
}

}  // namespace pliant
