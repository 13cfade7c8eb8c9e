// The recorded page: what a reader gets back is what was simulated, to a tenth of a millimetre.
#include "folder_test.h"

#include "pliant/base/check.h"
#include "pliant/files/base64.h"
#include "pliant/files/page_layers.h"
#include "pliant/files/residuals.h"
#include "pliant/files/write_page.h"
#include "pliant/json/json_text.h"
#include "pliant/scene/scene.h"
#include "pliant/solver/solver.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>

namespace pliant {
namespace {

/// Reads what ResidualWriter writes, by its description.
class ResidualReader {
  public:
    explicit ResidualReader(std::string bytes) : bytes_(std::move(bytes)) {}

    std::vector<std::int32_t> take(std::size_t count)
    {
        std::vector<std::int32_t> numbers;
        while (numbers.size() < count) {
            const std::uint32_t k = bits(5);
            const std::size_t end = std::min(count, numbers.size() + 32);
            while (numbers.size() < end) numbers.push_back(k == 31 ? 0 : number(k));
        }
        return numbers;
    }

  private:
    std::uint32_t bits(std::uint32_t count)
    {
        std::uint32_t value = 0;
        for (std::uint32_t i = 0; i < count; ++i, ++at_)
            value |= std::uint32_t((static_cast<unsigned char>(bytes_.at(at_ / 8)) >> (at_ % 8)) & 1) << i;
        return value;
    }
    std::int32_t number(std::uint32_t k)
    {
        std::uint32_t ones = 0;
        while (ones < 20 && bits(1) != 0) ++ones;
        const std::uint32_t u = ones == 20 ? bits(32) : (ones << k) + bits(k);
        return u % 2 != 0 ? -static_cast<std::int32_t>(u / 2) - 1 : static_cast<std::int32_t>(u / 2);
    }

    std::string bytes_;
    std::size_t at_ = 0;  // bit
};

TEST(Residuals, ComeBack)
{
    std::mt19937 random(1);
    for (int trial = 0; trial < 300; ++trial) {
        const int scale = 1 << (trial % 31);
        std::vector<std::int32_t> numbers(random() % 200);
        for (std::int32_t& n : numbers) {
            n = static_cast<std::int32_t>(random() % static_cast<unsigned>(scale)) * (random() % 2 != 0 ? 1 : -1);
            if (random() % 40 == 0) n = static_cast<std::int32_t>(random() % (1U << 30));
            if (trial % 5 == 0 && random() % 8 != 0) n = 0;
        }
        ResidualWriter out;
        out.put(numbers);
        out.put({numbers.data(), numbers.size() / 2});
        ResidualReader in(out.take());
        ASSERT_EQ(in.take(numbers.size()), numbers);
        ASSERT_EQ(in.take(numbers.size() / 2),
                  std::vector(numbers.begin(), numbers.begin() + static_cast<long>(numbers.size() / 2)));
    }
}

class Page : public testing_files::FolderTest {
  protected:
    void SetUp() override
    {
        testing_files::FolderTest::SetUp();
        std::ofstream(path("player.html")) << "<head>@PLIANT_DATA@<tail>";
        setenv("PLIANT_WEB", path("").c_str(), 1);
    }
    void TearDown() override
    {
        unsetenv("PLIANT_WEB");
        testing_files::FolderTest::TearDown();
    }

    /// The data in the middle of a page.
    Json data(const std::string& file)
    {
        std::ifstream in(path(file));
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        EXPECT_TRUE(text.starts_with("<head>{") && text.ends_with("}<tail>")) << text.substr(0, 100);
        return Json::parse(text.substr(6, text.size() - 12));
    }
};

struct ReadLayer {
    std::string moves;
    Vec3d center;
    std::vector<std::int32_t> start, one, two;
};

/// Follows a page frame by frame, as a player does.
class PageReader {
  public:
    explicit PageReader(const Json& page) : page_(page)
    {
        ResidualReader in(decode_base64(page["constants"].get<std::string>()).value());
        for (const Json& entry : page["layers"]) {
            ReadLayer& layer = layers.emplace_back();
            layer.moves = entry["moves"];
            for (int i = 0; i < 3; ++i) layer.center[i] = entry["center"][i];
            in.take(entry["indices"]);
            in.take(entry["uvs"]);
            in.take(entry["strands"]);
            layer.start = sum(in.take(3 * entry["vertices"].get<std::size_t>()));
        }
    }

    /// The next frame: positions by layer.
    std::vector<std::vector<Vec3d>> next()
    {
        const int chunk = page_["chunk"];
        if (frame_ % chunk == 0) in_.emplace(decode_base64(page_["chunks"][frame_ / chunk].get<std::string>()).value());
        std::vector<std::vector<Vec3d>> out;
        for (ReadLayer& layer : layers) {
            if (layer.moves != "still") {
                std::vector<std::int32_t> q = in_->take(layer.moves == "pose" ? 9 : layer.start.size());
                if (frame_ % chunk == 0) q = sum(q);
                else
                    for (std::size_t k = 0; k < q.size(); ++k)
                        q[k] += frame_ % chunk == 1 ? layer.one[k] : 2 * layer.one[k] - layer.two[k];
                layer.two = std::exchange(layer.one, q);
            }
            out.push_back(layer.moves == "pose" ? turned(layer)
                                                : placed(layer.moves == "still" ? layer.start : layer.one));
        }
        ++frame_;
        return out;
    }

    std::vector<ReadLayer> layers;

  private:
    static std::vector<std::int32_t> sum(std::vector<std::int32_t> q)
    {
        for (std::size_t k = 3; k < q.size(); ++k) q[k] += q[k - 3];
        return q;
    }
    std::vector<Vec3d> placed(const std::vector<std::int32_t>& q) const
    {
        std::vector<Vec3d> out(q.size() / 3);
        for (std::size_t k = 0; k < q.size(); ++k)
            out[k / 3][static_cast<int>(k % 3)] =
                page_["low"][k % 3].get<double>() + page_["unit"].get<double>() * q[k];
        return out;
    }
    std::vector<Vec3d> turned(const ReadLayer& layer) const
    {
        const std::vector<std::int32_t>& q = layer.one;
        const Vec3d x = placed({q.begin(), q.begin() + 3})[0];
        const Vec3d a = 0x1p-20 * Vec3d{double(q[3]), double(q[4]), double(q[5])};
        const Vec3d b = 0x1p-20 * Vec3d{double(q[6]), double(q[7]), double(q[8])};
        const Mat3d turn{{a, b, a.cross(b)}};
        std::vector<Vec3d> out = placed(layer.start);
        for (Vec3d& p : out) p = x + turn * (p - layer.center);
        return out;
    }

    const Json& page_;
    std::optional<ResidualReader> in_;
    int frame_ = 0;
};

/// The largest distance between what was simulated and what the page has, over all frames.
double largest_error(Scene& scene, const std::string& file, const std::function<Json()>& read)
{
    const RunInfo run{scene.frames + 1, scene.name, scene.about, scene.looks, scene.camera, &scene.world};
    const auto writer = make_page_writer(file, run);
    Solver solver;
    Frame frame;
    std::vector<std::vector<std::vector<Vec3>>> truth;
    std::vector<Vec3> scratch;
    for (int f = 0; f <= scene.frames; ++f) {
        if (f > 0) solver.step(scene.world);
        update_frame(scene.world, f, frame);
        writer->write(frame);
        truth.emplace_back();
        for (int i = 0; i < std::ssize(frame.layers); ++i)
            truth.back().push_back(display_points(scene.world, frame, i, RodDisplay::lines, scratch));
    }
    writer->finish();
    const Json page = read();
    PageReader reader(page);
    EXPECT_EQ(page["frames"], scene.frames + 1);
    double error = 0;
    for (const auto& layers : truth) {
        const auto got = reader.next();
        for (std::size_t i = 0; i < layers.size(); ++i)
            for (std::size_t k = 0; k < layers[i].size(); ++k)
                error = std::max(error, (got.at(i).at(k) - layers[i][k].cast<double>()).norm());
    }
    return error;
}

TEST_F(Page, IsExactToATenthOfAMillimetre)
{
    for (const std::string name : {"bunny_drop", "puppet", "rigid_drop", "rod_helix", "joint_carousel"}) {
        Scene scene = read_scene(name);
        scene.frames = 70;  // more than a chunk
        const double error = largest_error(scene, path(name + ".html"), [&] { return data(name + ".html"); });
        // Half a unit along each axis, and as much again for the rounding of a turn.
        EXPECT_LT(error, 2 * data(name + ".html")["unit"].get<double>()) << name;
        if (name == "bunny_drop" || name == "puppet") { EXPECT_LT(error, 1e-4) << name; }
        EXPECT_GT(error, 0) << name;
    }
}

TEST_F(Page, StaysWholeWhateverIsInNames)
{
    Scene scene = read_scene_text(R"({ "about": "a </script><b> \u00e9", "frames": 2,
        "rigids": [{ "shape": { "kind": "box" } }] })",
                                  "odd");
    largest_error(scene, path("odd.html"), [&] { return data("odd.html"); });
    EXPECT_EQ(data("odd.html")["about"], "a </script><b> \u00e9");
    std::ifstream in(path("odd.html"));
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(text.find("</script>"), std::string::npos);
}

TEST_F(Page, SaysHowToGetAPlayer)
{
    setenv("PLIANT_WEB", path("nowhere").c_str(), 1);
    Scene scene = read_scene("rigid_drop");
    Frame frame;
    update_frame(scene.world, 0, frame);
    try {
        make_page_writer(path("a.html"), {.world = &scene.world})->write(frame);
        ADD_FAILURE();
    } catch (const FileError& error) {
        EXPECT_NE(std::string(error.what()).find("make player"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace pliant
