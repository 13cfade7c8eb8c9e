#include "pliant/base/check.h"
#include "pliant/files/write_sheet.h"
#include "pliant/render/lamps.h"
#include "pliant/render/picture.h"
#include "pliant/render/view.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <numbers>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wshadow"
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace pliant {

namespace {

constexpr int kWidth = 240, kHeight = 180;
constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN();

Layer make_layer(std::vector<Vec3> points, Triangles triangles)
{
    return {"body", std::move(points), std::make_shared<const Triangles>(std::move(triangles))};
}

/// Facing z, at depth z, with legs of the given length from the corner (-length/3, -length/3).
Layer make_triangle(Real length, Real z)
{
    const Real a = -length / 3, b = a + length;
    return make_layer({{a, a, z}, {b, a, z}, {a, b, z}}, {{0, 1, 2}});
}

Layer make_ground(Real height)
{
    Layer layer = make_layer({{-50, height, -50}, {50, height, -50}, {50, height, 50}, {-50, height, 50}},
                             {{0, 2, 1}, {0, 3, 2}});
    layer.scenery = true;
    return layer;
}

Layer make_ball(const Vec3& center, double radius)
{
    Layer layer;
    layer.points = {center};
    layer.radius = radius;
    return layer;
}

Frame make_frame(std::vector<Layer> layers) { return {0, 0, std::move(layers)}; }

double brightness(const Image& image, int x, int y)
{
    const std::uint8_t* p = image.pixel(x, y);
    return (p[0] + p[1] + p[2]) / 3.0;
}

double difference(const Image& a, const Image& b, int x, int y)
{
    double sum = 0;
    for (int channel = 0; channel < 3; ++channel) sum += std::abs(a.pixel(x, y)[channel] - b.pixel(x, y)[channel]);
    return sum;
}

/// How many pixels the frame has changed by more than half of what it has changed the middle.
int covered_pixels(const Frame& frame, const Camera& camera)
{
    const Image image = render(frame, camera, kWidth, kHeight), empty = render({}, camera, kWidth, kHeight);
    const double full = difference(image, empty, kWidth / 2, kHeight / 2);
    EXPECT_GT(full, 60) << "the middle shows nothing";
    int count = 0;
    for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) count += difference(image, empty, x, y) > 0.5 * full ? 1 : 0;
    }
    return count;
}

/// [pixels / m] at the given distance from the eye.
double pixels_per_metre(const Camera& camera, double distance)
{
    return 0.5 * kHeight / (std::tan(0.5 * camera.field_of_view) * distance);
}

TEST(Picture, TriangleCoversItsProjectedArea)
{
    const Camera camera;
    for (const Real length : {Real(0.8), Real(1.5)}) {
        const double scale = pixels_per_metre(camera, 5);
        const double expected = 0.5 * length * length * scale * scale;
        EXPECT_NEAR(covered_pixels(make_frame({make_triangle(length, 0)}), camera), expected, 0.02 * expected);
    }
}

TEST(Picture, BallCoversItsProjectedArea)
{
    const Camera camera;
    const double tangent = 0.5 / std::sqrt(25 - 0.25);  // of the cone around a ball of 0.5 at distance 5
    const double radius = tangent * pixels_per_metre(camera, 1);
    const double expected = std::numbers::pi * radius * radius;
    EXPECT_NEAR(covered_pixels(make_frame({make_ball({0, 0, 0}, 0.5)}), camera), expected, 0.02 * expected);
}

TEST(Picture, NearerHidesFarther)
{
    const auto middle_is_red = [](const Layer& first, const Layer& second) {
        const Image image = render(make_frame({first, second}), {}, 60, 60);
        const std::uint8_t* p = image.pixel(30, 30);
        return p[0] > p[2];
    };
    const Layer near_triangle = make_triangle(1, 0), far_triangle = make_triangle(1, -1);
    const Layer near_ball = make_ball({0, 0, 0.4f}, 0.2), far_ball = make_ball({0, 0, -2}, 0.2);
    for (const Layer& near : {near_triangle, near_ball}) {
        for (const Layer& far : {far_triangle, far_ball}) {
            EXPECT_TRUE(middle_is_red(near, far)) << "the first body is orange";
            EXPECT_FALSE(middle_is_red(far, near)) << "the second is teal";
        }
    }
}

/// The middle column of an odd picture sees the edge between two coplanar bodies, and nothing through it.
TEST(Picture, PixelsAcrossAnEdgeAreMixed)
{
    const Layer left = make_layer({{-2, -2, 0}, {0, -2, 0}, {0, 2, 0}, {-2, 2, 0}}, {{0, 1, 2}, {0, 2, 3}});
    const Layer right = make_layer({{0, -2, 0}, {2, -2, 0}, {2, 2, 0}, {0, 2, 0}}, {{0, 1, 2}, {0, 2, 3}});
    const Image image = render(make_frame({left, right}), {}, 61, 61);
    EXPECT_GT(image.pixel(29, 30)[0], image.pixel(30, 30)[0] + 20);
    EXPECT_GT(image.pixel(30, 30)[0], image.pixel(31, 30)[0] + 20);
    EXPECT_LT(image.pixel(30, 30)[2], image.pixel(31, 30)[2]) << "the backdrop is brighter than both";
}

TEST(Picture, BothSidesOfATriangleAreLit)
{
    Layer turned = make_triangle(1, 0);
    turned.triangles = std::make_shared<const Triangles>(Triangles{{0, 2, 1}});
    const Image front = render(make_frame({make_triangle(1, 0)}), {}, 60, 60);
    EXPECT_EQ(front.rgb, render(make_frame({turned}), {}, 60, 60).rgb);
}

TEST(Picture, BodyThrowsItsShadowOnTheGround)
{
    const Camera camera{{0, 3, 6}, {0, 0.5, 0}, 0.6};
    const Vec3d center = {0, 1, 0};
    const Frame bare = make_frame({make_ground(0)});
    const Frame shaded = make_frame({make_ground(0), make_ball(center.cast<Real>(), 0.4)});
    const Image without = render(bare, camera, kWidth, kHeight), with = render(shaded, camera, kWidth, kHeight);

    const View view(camera, kWidth, kHeight);
    const auto ratio = [&](const Vec3d& point) {
        const Corner c = view.project(point);
        const int x = static_cast<int>(c.x), y = static_cast<int>(c.y);
        return brightness(with, x, y) / brightness(without, x, y);
    };
    const Vec3d in_shadow = center - (center.y / key_direction().y) * key_direction();
    EXPECT_LT(ratio(in_shadow), 0.85);
    EXPECT_GT(ratio(in_shadow), 0.4) << "not black";
    EXPECT_GT(ratio(in_shadow + Vec3d{-1.2, 0, 1}), 0.97) << "the open ground stays as it is";
}

TEST(Picture, GroundIsACheckerThatFadesIntoTheBackdrop)
{
    const Camera level{{0, 1, 0}, {0, 1, -4}, 1.0};  // the horizon is in the middle
    const Image image = render(make_frame({make_ground(0)}), level, kWidth, kHeight);
    const Image backdrop = render({}, level, kWidth, kHeight);
    double darkest = 255, brightest = 0;
    for (int x = 0; x < kWidth; ++x) {
        EXPECT_LE(difference(image, backdrop, x, kHeight / 2 + 1), 3);
        darkest = std::min(darkest, brightness(image, x, kHeight - 5));
        brightest = std::max(brightest, brightness(image, x, kHeight - 5));
    }
    EXPECT_GT(brightest, darkest + 5);
}

TEST(Picture, BodyThrowsItsShadowOnAnother)
{
    const Camera camera{{0, 2, 6}, {0, 0, 0}, 0.6};
    const Vec3d above = 1.5 * key_direction();
    const Layer plate = make_layer({{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}}, {{0, 2, 1}, {0, 3, 2}});
    const Image open = render(make_frame({plate}), camera, kWidth, kHeight);
    const Image shaded = render(make_frame({plate, make_ball(above.cast<Real>(), 0.4)}), camera, kWidth, kHeight);
    EXPECT_LT(brightness(shaded, kWidth / 2, kHeight / 2), 0.8 * brightness(open, kWidth / 2, kHeight / 2));
}

TEST(Picture, PointsThatAreNotFiniteTakeOnlyTheirTrianglesAway)
{
    Layer layer = make_triangle(1, 0);
    const Image whole = render(make_frame({layer}), {}, 60, 60);
    layer.points.push_back({kNaN, 0, 0});
    layer.points.push_back({0, std::numeric_limits<Real>::infinity(), 0});
    layer.points.push_back({1e30f, 0, -1e30f});
    layer.triangles =
        std::make_shared<const Triangles>(Triangles{{0, 1, 3}, {0, 1, 2}, {4, 1, 2}, {0, 5, 2}, {3, 4, 5}});
    Layer cloud = make_ball({kNaN, kNaN, kNaN}, 0.1);
    EXPECT_EQ(render(make_frame({layer, cloud}), {}, 60, 60).rgb, whole.rgb);

    const Camera camera = frame_all({make_frame({layer, cloud})});
    EXPECT_LT((camera.target - camera.eye).norm(), 10);
}

TEST(Picture, EmptyFramesAndOddCamerasGiveABackdrop)
{
    const Layer nothing, all_nan = make_layer({{kNaN, 0, 0}, {0, kNaN, 0}, {0, 0, kNaN}}, {{0, 1, 2}});
    const Image empty = render({}, {}, 40, 30);
    EXPECT_EQ(render(make_frame({nothing, all_nan}), frame_all({make_frame({nothing, all_nan})}), 40, 30).rgb,
              empty.rgb);
    const Camera odd[] = {
        {{0, 0, 0}, {0, 0, 0}, 0.5}, {{0, 5, 0}, {0, 0, 0}, 0.5}, frame_all({}), {{0, 0, 9}, {}, 0.5}};
    for (const Camera& camera : odd) {
        EXPECT_TRUE(std::isfinite(camera.eye.norm() + camera.target.norm()));
        EXPECT_EQ(render(make_frame({make_ground(0), make_triangle(1, 0)}), camera, 40, 30).rgb.size(), 3u * 40 * 30);
    }
}

TEST(Picture, CameraSeesAllBodiesAndNoMoreThanNeeded)
{
    std::vector<Frame> frames;
    for (int i = 0; i < 5; ++i) {
        frames.push_back(make_frame({make_ground(0), make_triangle(1, 0), make_ball({Real(i), Real(2 * i), 3}, 0.3)}));
    }
    const Camera camera = frame_all(frames, double{kWidth} / kHeight);
    const View view(camera, kWidth, kHeight);
    double reach = 0;  // 1 is the border of the picture
    for (const Frame& frame : frames) {
        for (const Layer& layer : frame.layers) {
            if (layer.scenery) continue;
            for (const Vec3& p : layer.points) {
                const Corner c = view.project(p.cast<double>());
                ASSERT_GT(c.q.z, 0);
                reach = std::max({reach, std::abs(c.x / view.middle_x - 1), std::abs(c.y / view.middle_y - 1)});
            }
        }
    }
    EXPECT_LT(reach, 0.95);
    EXPECT_GT(reach, 0.6);
    EXPECT_GT(camera.eye.y, camera.target.y) << "from above";
}

TEST(Picture, TextIsDrawnAndCutOffAtTheBorder)
{
    const auto black_pixels = [](std::string_view text, int x, int y) {
        Image image{20, 10, std::vector<std::uint8_t>(600, 255)};
        draw_text(text, x, y, 1, {0, 0, 0}, image);
        return std::count(image.rgb.begin(), image.rgb.end(), 0) / 3;
    };
    EXPECT_EQ(black_pixels("-", 0, 0), 3);
    EXPECT_EQ(black_pixels("1.", 0, 0), 10 + 4);
    EXPECT_EQ(black_pixels(" \xff", 0, 0), 0);
    EXPECT_EQ(black_pixels("8", 100, 100) + black_pixels("8", -9, -9), 0);
    EXPECT_EQ(black_pixels("8", 0, 2), 17);
    EXPECT_EQ(black_pixels("8", -2, 2), 10);
}

Image decode(const std::string& bytes)
{
    Image image;
    int channels = 0;
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    unsigned char* rgb =
        stbi_load_from_memory(data, static_cast<int>(bytes.size()), &image.width, &image.height, &channels, 3);
    EXPECT_NE(rgb, nullptr);
    if (rgb) image.rgb.assign(rgb, rgb + 3 * image.width * image.height);
    stbi_image_free(rgb);
    return image;
}

TEST(Picture, PngKeepsEveryPixel)
{
    const Image image = render(make_frame({make_ground(-1), make_triangle(1, 0)}), {}, 61, 37);
    const Image decoded = decode(encode_png(image));
    EXPECT_EQ(decoded.width, 61);
    EXPECT_EQ(decoded.height, 37);
    EXPECT_EQ(decoded.rgb, image.rgb);
}

class Sheet : public testing::Test {
  protected:
    void SetUp() override
    {
        const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
        folder_ = std::filesystem::temp_directory_path() / fmt::format("pliant_sheet_{}_{}", test, getpid());
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    /// The sheet of a run that was expected to have `expected` frames and had `written`, each with a body of its size.
    Image run(int expected, int written)
    {
        const std::string path = (folder_ / "sheet.png").string();
        const auto writer = make_writer(path, {.frames = expected});
        for (int i = 0; i < written; ++i) writer->write(frame(i));
        writer->finish();
        std::ifstream in(path, std::ios::binary);
        return decode({std::istreambuf_iterator<char>(in), {}});
    }
    static Frame frame(int i) { return {i, i / 60.0, {make_triangle(Real(1 + i), 0)}}; }

    /// Whether tile `i` shows the frame, as seen by the camera for `all`; below is the caption.
    static bool shows(const Image& sheet, int i, const Frame& frame, const std::vector<Frame>& all)
    {
        const Image tile = render(frame, frame_all(all), kTileWidth, kTileHeight);
        const int left = kTileGap + i % kSheetColumns * (kTileWidth + kTileGap);
        const int top = kTileGap + i / kSheetColumns * (kTileHeight + kTileGap);
        for (int y = 0; y < kTileHeight * 9 / 10; ++y) {
            if (!std::equal(tile.pixel(0, y), tile.pixel(0, y) + 3 * kTileWidth, sheet.pixel(left, top + y)))
                return false;
        }
        return true;
    }
    static int width(int columns) { return columns * (kTileWidth + kTileGap) + kTileGap; }
    static int height(int rows) { return rows * (kTileHeight + kTileGap) + kTileGap; }

    std::filesystem::path folder_;
};

/// Also when the run goes on for longer than it said.
TEST_F(Sheet, LongRunFillsTheGridFromFirstToLast)
{
    const Image sheet = run(98, 100);
    EXPECT_EQ(sheet.width, width(4));
    EXPECT_EQ(sheet.height, height(3));
    EXPECT_TRUE(shows(sheet, 0, frame(0), {frame(0), frame(99)}));
    EXPECT_TRUE(shows(sheet, 1, frame(9), {frame(0), frame(99)}));
    EXPECT_TRUE(shows(sheet, 11, frame(99), {frame(0), frame(99)}));
}

TEST_F(Sheet, ShortRunShowsEveryFrame)
{
    const Image sheet = run(2, 2);
    EXPECT_EQ(sheet.width, width(2));
    EXPECT_EQ(sheet.height, height(1));
    EXPECT_TRUE(shows(sheet, 1, frame(1), {frame(0), frame(1)}));
}

TEST_F(Sheet, EarlyEndShowsTheLastState)
{
    const Image sheet = run(1000, 3);
    EXPECT_EQ(sheet.width, width(2));
    EXPECT_TRUE(shows(sheet, 1, frame(2), {frame(0), frame(2)}));
}

TEST_F(Sheet, RunOfUnknownLengthShowsFirstAndLast)
{
    const Image sheet = run(0, 4);
    EXPECT_EQ(sheet.width, width(2));
    EXPECT_TRUE(shows(sheet, 1, frame(3), {frame(0), frame(3)}));
}

TEST_F(Sheet, NoFramesNoFile)
{
    make_writer((folder_ / "sheet.png").string(), {.frames = 10})->finish();
    EXPECT_FALSE(std::filesystem::exists(folder_ / "sheet.png"));
}

TEST_F(Sheet, UnwritablePathFailsAtTheFirstFrame)
{
    std::filesystem::create_directories(folder_ / "sheet.png");
    const auto writer = make_writer((folder_ / "sheet.png").string(), {.frames = 10});
    EXPECT_THROW(writer->write(frame(0)), FileError);
    EXPECT_TRUE(std::filesystem::is_empty(folder_ / "sheet.png"));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

}  // namespace

}  // namespace pliant
