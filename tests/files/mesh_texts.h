#pragma once
// Small meshes in every format, and files that go away with the test.

#include "pliant/base/check.h"
#include "pliant/files/mesh_files.h"
#include "pliant/geometry/shapes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace pliant::testing_meshes {

/// A file of its own name that goes away with the object.
class TempFile {
  public:
    TempFile(const std::string& extension, const std::string& content)
    {
        static int number = 0;
        path =
            (std::filesystem::temp_directory_path() / fmt::format("pliant_mesh_{}_{}{}", getpid(), number++, extension))
                .string();
        std::ofstream(path, std::ios::binary) << content;
    }
    ~TempFile() { std::filesystem::remove(path); }
    TempFile(const TempFile&) = delete;
    TempFile& operator=(const TempFile&) = delete;

    std::string path;
};

/// What is thrown, as "InputError: ..." or "FileError: ...", or nothing.
inline std::string trouble_of(const std::function<void()>& action)
{
    try {
        action();
    } catch (const InputError& error) {
        return std::string("InputError: ") + error.what();
    } catch (const FileError& error) {
        return std::string("FileError: ") + error.what();
    }
    return "";
}

/// For EXPECT_PRED2, which shows both texts.
inline bool says(const std::string& error, const std::string& part) { return error.find(part) != std::string::npos; }

/// The error of `read` for a file of that content; it names the file.
template <class Read>
std::string error_of_file(const Read& read, const std::string& extension, const std::string& content)
{
    const TempFile file(extension, content);
    const std::string error = trouble_of([&] { read(file.path); });
    EXPECT_PRED2(says, error, file.path) << "the file is not named: " << error;
    return error;
}

inline std::string surface_error(const std::string& extension, const std::string& content)
{
    return error_of_file(read_surface, extension, content);
}

inline std::string tet_error(const std::string& extension, const std::string& content)
{
    return error_of_file(read_tetrahedra, extension, content);
}

inline std::string point_error(const std::string& extension, const std::string& content)
{
    return error_of_file(read_points, extension, content);
}

/// Closed, with the volume and the number of vertices of the box that was written.
inline void expect_box(const SurfaceMesh& mesh, const Vec3d& size)
{
    EXPECT_EQ(mesh.vertices.size(), 8u);
    EXPECT_EQ(mesh.triangles.size(), 12u);
    EXPECT_EQ(open_edges(mesh), 0);
    EXPECT_NEAR(volume(mesh), size.x * size.y * size.z, 1e-6);
    EXPECT_LT((bounding_box(mesh.vertices).extent() - size).norm(), 1e-6);
}

template <class T>
void append(std::string& bytes, T value, std::endian order = std::endian::little)
{
    std::string raw(sizeof(T), '\0');
    std::memcpy(raw.data(), &value, sizeof(T));
    if (order != std::endian::native) std::reverse(raw.begin(), raw.end());
    bytes += raw;
}

inline std::string box_stl(const Vec3d& size)
{
    const SurfaceMesh box = make_box(size, 1);
    std::string bytes(80, ' ');
    append(bytes, static_cast<std::uint32_t>(box.triangles.size()));
    for (const auto& t : box.triangles) {
        for (int i = 0; i < 3; ++i) append(bytes, 0.0f);  // normal
        for (const int v : t) {
            for (int i = 0; i < 3; ++i) append(bytes, static_cast<float>(box.vertices[static_cast<std::size_t>(v)][i]));
        }
        append(bytes, std::uint16_t{0});
    }
    return bytes;
}

inline const char* const kBoxCorners[] = {"0 0 0", "1 0 0", "1 2 0", "0 2 0", "0 0 3", "1 0 3", "1 2 3", "0 2 3"};
inline const std::array<int, 4> kBoxSides[] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                               {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

inline std::string box_obj()
{
    std::string text = "# a box of quadrilaterals\no box\n";
    for (const char* corner : kBoxCorners) text += fmt::format("v {}\n", corner);
    for (const auto& [a, b, c, d] : kBoxSides) text += fmt::format("f {} {} {} {}\n", a + 1, b + 1, c + 1, d + 1);
    return text;
}

inline std::string box_ply_header(const std::string& format)
{
    return fmt::format(
        "ply\nformat {} 1.0\ncomment a box\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n"
        "property uchar red\nelement face 6\nproperty list uchar int vertex_indices\nend_header\n",
        format);
}

inline std::string box_ply_ascii()
{
    std::string text = box_ply_header("ascii");
    for (const char* corner : kBoxCorners) text += fmt::format("{} 255\n", corner);
    for (const auto& [a, b, c, d] : kBoxSides) text += fmt::format("4 {} {} {} {}\n", a, b, c, d);
    return text;
}

inline std::string box_ply_binary(std::endian order)
{
    std::string bytes = box_ply_header(order == std::endian::big ? "binary_big_endian" : "binary_little_endian");
    for (const char* corner : kBoxCorners) {
        for (const int i : {0, 2, 4}) append(bytes, static_cast<float>(corner[i] - '0'), order);
        bytes += '\xff';
    }
    for (const auto& side : kBoxSides) {
        bytes += '\x04';
        for (const int v : side) append(bytes, v, order);
    }
    return bytes;
}

inline std::string base64(const std::string& bytes)
{
    const char* const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i + 2 < bytes.size(); i += 3) {
        const unsigned word = static_cast<unsigned char>(bytes[i]) << 16u |
                              static_cast<unsigned char>(bytes[i + 1]) << 8u | static_cast<unsigned char>(bytes[i + 2]);
        for (const unsigned shift : {18u, 12u, 6u, 0u}) text += digits[word >> shift & 63u];
    }
    return text;
}

/// A tetrahedron of volume 1/6 that a node moves and its child mirrors and stretches by -2, 1, 3.
inline std::string tetrahedron_gltf()
{
    std::string bytes;
    for (const float c : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f}) append(bytes, c);
    for (const std::uint16_t v : {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}) append(bytes, v);
    return fmt::format(
        R"({{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"translation":[10,20,30],"children":[1]}},{{"scale":[-2,1,3],"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}},
                     {{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":24}}],
        "buffers":[{{"byteLength":72,"uri":"data:application/octet-stream;base64,{}"}}]}})",
        base64(bytes));
}

/// A binary glTF of a JSON and a binary chunk.
inline std::string glb_of(std::string json, std::string binary)
{
    while (json.size() % 4 != 0) json += ' ';
    while (binary.size() % 4 != 0) binary += '\0';
    std::string bytes = "glTF";
    append(bytes, std::uint32_t{2});
    append(bytes, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + binary.size()));
    append(bytes, static_cast<std::uint32_t>(json.size()));
    bytes += "JSON" + json;
    append(bytes, static_cast<std::uint32_t>(binary.size()));
    return bytes + std::string("BIN\0", 4) + binary;
}

/// The same tetrahedron with its buffer in the binary chunk.
inline std::string tetrahedron_glb()
{
    std::string json = tetrahedron_gltf(), bytes;
    for (const float c : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f}) append(bytes, c);
    for (const std::uint16_t v : {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}) append(bytes, v);
    json.erase(json.find(",\"uri\""));
    return glb_of(json + "}]}", bytes);
}

}  // namespace pliant::testing_meshes
