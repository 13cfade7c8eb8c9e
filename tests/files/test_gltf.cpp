// glTF: containers, accessors, nodes, primitives, and what is said of files that lie.

#include "files/mesh_texts.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_meshes;

/// Two triangles side by side: four vertices with UVs, interleaved, then indices of one byte each.
std::string interleaved_bytes()
{
    std::string bytes;
    for (const std::array<float, 2> p : {std::array{0.f, 0.f}, {1.f, 0.f}, {0.f, 1.f}, {1.f, 1.f}}) {
        for (const float x : {p[0], p[1], 0.f}) append(bytes, x);
        for (const float u : p) append(bytes, static_cast<std::uint16_t>(u * 65535));
    }
    return bytes + std::string("\0\1\2\2\1\3", 6);
}

const std::string kInterleavedParts = R"(
"accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
 {"bufferView": 0, "byteOffset": 12, "componentType": 5123, "normalized": true, "count": 4, "type": "VEC2"},
 {"bufferView": 1, "componentType": 5121, "count": 6, "type": "SCALAR"}],
"bufferViews": [{"buffer": 0, "byteLength": 64, "byteStride": 16}, {"buffer": 0, "byteOffset": 64, "byteLength": 6}],
"buffers": [{"byteLength": 70}])";

/// A document around a primitive and nodes.
std::string interleaved_json(const std::string& primitive,
                             const std::string& nodes = R"([{"mesh": 0, "name": "flag"}])")
{
    return R"({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": )" + nodes +
           R"(, "materials": [{"name": "silk"}, {}], "meshes": [{"primitives": [)" + primitive + "]}], " +
           kInterleavedParts + "}";
}

const char* const kWithUvs = R"({"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0})";

std::string glb_error(const std::string& from, const std::string& to)
{
    std::string json = interleaved_json(kWithUvs);
    const std::size_t at = json.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return surface_error(".glb", glb_of(json.replace(at, from.size(), to), interleaved_bytes()));
}

TEST(Gltf, ReadsStridesNormalizedUvsNamesAndMaterials)
{
    const PolygonMesh mesh = read_mesh(TempFile(".glb", glb_of(interleaved_json(kWithUvs), interleaved_bytes())).path);
    ASSERT_EQ(mesh.vertices.size(), 4u);
    EXPECT_EQ(mesh.vertices[3], (Vec3d{1, 1, 0}));
    ASSERT_EQ(mesh.faces.size(), 2);
    EXPECT_EQ(mesh.faces.corners, (std::vector{0, 1, 2, 2, 1, 3}));
    for (std::size_t k = 0; k < 6; ++k) {
        const Vec3d& p = mesh.vertices[static_cast<std::size_t>(mesh.faces.corners[k])];
        const std::array<double, 2> uv = mesh.faces.uvs[static_cast<std::size_t>(mesh.faces.corner_uvs[k])];
        EXPECT_EQ(uv, (std::array<double, 2>{p.x, 1 - p.y})) << "v runs down in the file";
    }
    EXPECT_EQ(mesh.faces.materials.names, std::vector<std::string>{"silk"});
    EXPECT_EQ(group_vertices(mesh.faces, "flag"), (std::vector{0, 1, 2, 3}));
}

TEST(Gltf, ReadsStripsFansAndVerticesWithoutIndices)
{
    const auto corners = [](const char* primitive) {
        return read_mesh(TempFile(".glb", glb_of(interleaved_json(primitive), interleaved_bytes())).path).faces.corners;
    };
    EXPECT_EQ(corners(R"({"attributes": {"POSITION": 0}, "mode": 5})"), (std::vector{0, 1, 2, 1, 3, 2}));
    EXPECT_EQ(corners(R"({"attributes": {"POSITION": 0}, "mode": 6})"), (std::vector{0, 1, 2, 0, 2, 3}));
    EXPECT_EQ(corners(R"({"attributes": {"POSITION": 0}, "mode": 1}, {"attributes": {"POSITION": 0}, "indices": 2})"),
              (std::vector{0, 1, 2, 2, 1, 3}))
        << "lines are left out";
    EXPECT_PRED2(
        says,
        surface_error(".glb", glb_of(interleaved_json(R"({"attributes": {"POSITION": 0}})"), interleaved_bytes())),
        "4 corners, which makes no triangles");
}

TEST(Gltf, PrimitivesShareVerticesAndNodesDoNot)
{
    const std::string both =
        std::string(kWithUvs) + R"(, {"attributes": {"POSITION": 0}, "indices": 2, "material": 1})";
    const std::string nodes =
        R"([{"children": [1, 2]}, {"mesh": 0, "name": "a"}, {"mesh": 0, "name": "b", "translation": [0, 0, 5]}])";
    const PolygonMesh mesh =
        read_mesh(TempFile(".glb", glb_of(interleaved_json(both, nodes), interleaved_bytes())).path);
    EXPECT_EQ(mesh.vertices.size(), 8u);
    EXPECT_EQ(mesh.faces.size(), 8);
    EXPECT_EQ(group_vertices(mesh.faces, "b"), (std::vector{4, 5, 6, 7}));
    EXPECT_EQ(mesh.vertices[7], (Vec3d{1, 1, 5}));
    EXPECT_EQ(mesh.faces.materials.names, (std::vector<std::string>{"silk", "material-1"}));
}

TEST(Gltf, PlacesByMatricesAndByQuaternions)
{
    const double h = std::sqrt(0.5);
    for (const std::string& node :
         {fmt::format(R"("rotation": [0, 0, {0}, {0}], "scale": [2, 3, 4], "translation": [10, 20, 30])", h),
          std::string(R"("matrix": [0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 10, 20, 30, 1])")}) {
        const std::string nodes = R"([{"children": [1], )" + node + R"(}, {"mesh": 0, "translation": [0, 0, 1]}])";
        const PolygonMesh mesh =
            read_mesh(TempFile(".glb", glb_of(interleaved_json(kWithUvs, nodes), interleaved_bytes())).path);
        EXPECT_LT((mesh.vertices[1] - Vec3d{10, 22, 34}).norm(), 1e-12) << node;
        EXPECT_LT((mesh.vertices[2] - Vec3d{7, 20, 34}).norm(), 1e-12) << node;
    }
}

TEST(Gltf, ReadsSparseAccessors)
{
    std::string json = interleaved_json(kWithUvs), bytes = interleaved_bytes();
    const std::string from = R"("componentType": 5126, "count": 4, "type": "VEC3")";
    json.replace(json.find(from), from.size(),
                 from + R"(, "sparse": {"count": 1, "indices": {"bufferView": 2, "componentType": 5121},
                             "values": {"bufferView": 3}})");
    const std::string views = R"("byteLength": 6}])";
    json.replace(json.find(views), views.size(), R"("byteLength": 6}, {"buffer": 0, "byteOffset": 70, "byteLength": 1},
                                                   {"buffer": 0, "byteOffset": 72, "byteLength": 12}])");
    json.replace(json.find(R"("byteLength": 70)"), 16, R"("byteLength": 84)");
    bytes += std::string("\3\0", 2);
    for (const float x : {7.f, 8.f, 9.f}) append(bytes, x);
    EXPECT_EQ(read_mesh(TempFile(".glb", glb_of(json, bytes)).path).vertices[3], (Vec3d{7, 8, 9}));
    bytes[70] = 4;
    EXPECT_PRED2(says, surface_error(".glb", glb_of(json, bytes)), "replaces element 4 of 4");
}

TEST(Gltf, FindsBuffersBesideTheFile)
{
    const TempFile buffer(".bin", interleaved_bytes());
    const std::string name = std::filesystem::path(buffer.path).filename().string();
    const auto json = [&](const std::string& uri) {
        std::string text = interleaved_json(kWithUvs);
        return text.replace(text.find(R"("byteLength": 70)"), 16, fmt::format(R"("byteLength": 70, "uri": "{}")", uri));
    };
    std::string escaped = name;
    escaped.replace(escaped.find("_"), 1, "%5F");
    EXPECT_EQ(read_mesh(TempFile(".gltf", json(escaped)).path).vertices.size(), 4u);
    for (const std::string& uri : {std::string("no.bin"), buffer.path, std::string("http://example.org/a.bin"),
                                   std::string("/dev/zero"), std::string("../../../../../../../../dev/zero")})
        EXPECT_PRED2(says, surface_error(".gltf", json(uri)), "no file that can be found") << uri;
    EXPECT_PRED2(says, surface_error(".gltf", json("data:text/plain,hello")), "not in base 64");
}

TEST(Gltf, SaysWhatIsWrong)
{
    EXPECT_PRED2(says, glb_error(R"("count": 4, "type": "VEC3")", R"("count": 5, "type": "VEC3")"), "cut off");
    EXPECT_PRED2(says, glb_error(R"("count": 4, "type": "VEC3")", R"("count": 4000000000, "type": "VEC3")"), "cut off");
    EXPECT_PRED2(says,
                 glb_error(R"({"bufferView": 0, "componentType": 5126, "count": 4)",
                           R"({"componentType": 5126, "count": 4000000000)"),
                 "cannot hold");
    EXPECT_PRED2(says, glb_error(R"("byteLength": 64)", R"("byteLength": 18446744073709551615)"), "buffer view 0");
    EXPECT_PRED2(says, glb_error(R"("byteLength": 70)", R"("byteLength": 700)"), "should have 700 bytes");
    EXPECT_PRED2(says, glb_error(R"("byteOffset": 12)", R"("byteOffset": -12)"),
                 "\"byteOffset\" must be a whole number");
    EXPECT_PRED2(says, glb_error(R"("type": "VEC3")", R"("type": "MAT4")"), "'MAT4'");
    EXPECT_PRED2(says, glb_error("5126", "5130"), "unknown type 5130");
    EXPECT_PRED2(says, glb_error(R"("indices": 2)", R"("indices": 7)"), "there is no accessor 7; the file has 3");
    EXPECT_PRED2(says, glb_error(R"("TEXCOORD_0": 1)", R"("TEXCOORD_0": 2)"), "where 2 numbers");
    EXPECT_PRED2(says, glb_error(R"("nodes": [0])", R"("nodes": [3])"), "there is no node 3");
    EXPECT_PRED2(says, glb_error(R"({"asset")", R"({"extensionsRequired": ["KHR_draco_mesh_compression"], "asset")"),
                 "export without compression");
    EXPECT_PRED2(says, glb_error(R"("mesh": 0)", R"("mesh": 0, "translation": [1e999, 0, 0])"), "InputError");
    EXPECT_PRED2(says, glb_error(R"("mesh": 0)", R"("mesh": 0, "rotation": [0, 0, 0, 0])"), "not a quaternion");
    EXPECT_PRED2(says, glb_error(R"("mesh": 0)", R"("mesh": 0, "scale": [1, 2])"), "must be 3 numbers");
    std::string bytes = interleaved_bytes();
    bytes[69] = 9;
    EXPECT_PRED2(says, surface_error(".glb", glb_of(interleaved_json(kWithUvs), bytes)),
                 "uses vertex 9, but its mesh has 4");
}

TEST(Gltf, RefusesCirclesDeepNestsAndEndlessCopies)
{
    EXPECT_PRED2(says, glb_error(R"("mesh": 0)", R"("mesh": 0, "children": [0])"), "node 0 is reached twice");
    std::string chain = R"([{"mesh": 0})";  // a hundred thousand levels are no recursion
    for (int i = 0; i < 100'000; ++i) chain += fmt::format(R"(,{{"children":[{}]}})", i == 0 ? 0 : i);
    chain += "]";
    std::string json = interleaved_json(kWithUvs, chain);
    json.replace(json.find(R"("nodes": [0])"), 12, R"("nodes": [100000])");
    EXPECT_EQ(read_mesh(TempFile(".glb", glb_of(json, interleaved_bytes())).path).vertices.size(), 4u);

    std::string nested = interleaved_json(kWithUvs);
    nested.replace(0, 1, R"({"extras": )" + std::string(100'000, '[') + std::string(100'000, ']') + ", ");
    EXPECT_PRED2(says, surface_error(".glb", glb_of(nested, interleaved_bytes())), "deep");

    // A strip of 3000 corners shown by 1500 nodes: 27 million corners from some 100 kilobytes.
    std::string copies = R"([{"mesh": 0})", roots = "0", bytes = interleaved_bytes().substr(0, 64);
    for (int i = 1; i < 1500; ++i) {
        copies += R"(, {"mesh": 0})";
        roots += fmt::format(", {}", i);
    }
    for (int i = 0; i < 3000; ++i) bytes += static_cast<char>(i % 4);
    json = interleaved_json(R"({"attributes": {"POSITION": 0}, "indices": 2, "mode": 5})", copies + "]");
    json.replace(json.find(R"("nodes": [0])"), 12, fmt::format(R"("nodes": [{}])", roots));
    json.replace(json.find(R"("count": 6)"), 10, R"("count": 3000)");
    json.replace(json.find(R"("byteLength": 6})"), 16, R"("byteLength": 3000})");
    json.replace(json.find(R"("byteLength": 70)"), 16, R"("byteLength": 3064)");
    EXPECT_PRED2(says, surface_error(".glb", glb_of(json, bytes)), "use fewer copies");
}

TEST(Gltf, RefusesDamagedContainers)
{
    const std::string good = glb_of(interleaved_json(kWithUvs), interleaved_bytes());
    EXPECT_PRED2(says, surface_error(".glb", good.substr(0, 16)), "ends in its header");
    EXPECT_PRED2(says, surface_error(".glb", good.substr(0, 200)), "a chunk of");
    std::string old = good;
    old[4] = 1;
    EXPECT_PRED2(says, surface_error(".glb", old), "version 1");
    EXPECT_PRED2(says, surface_error(".glb", good.substr(0, good.size() - 80)), "cut off");
}

}  // namespace
}  // namespace pliant
