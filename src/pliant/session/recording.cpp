#include "pliant/session/recording.h"

#include "pliant/base/build.h"
#include "pliant/base/check.h"
#include "pliant/files/base64.h"
#include "pliant/files/paths.h"
#include "pliant/files/text_reader.h"
#include "pliant/json/fields_json.h"
#include "pliant/scene/scene.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace pliant {

namespace {

constexpr int kHashDigits = 6;
constexpr const char* kTag = "pliant_recording";

Json json_of(const GridPoint& p) { return Json::array({p[0], p[1], p[2]}); }

/// The steps from place to place, all in one list.
Json steps_of(const GrabInput& grab)
{
    Json steps = Json::array();
    GridPoint last = grab.at;
    for (const GridPoint& place : grab.path) {
        for (std::size_t i = 0; i < 3; ++i) steps.push_back(place[i] - last[i]);
        last = place;
    }
    return steps;
}

Json json_of(const SetInput& set) { return {{"set", set.path}, {"value", Json::parse(set.value)}}; }
Json json_of(const ReleaseInput& release) { return {{"release", release.hand}}; }
Json json_of(const GrabInput& grab)
{
    return {{"grab", grab.hand},
            {"body", grab.body},
            {"particle", grab.particle},
            {"at", json_of(grab.at)},
            {"compliance", grab.compliance},
            {"path", steps_of(grab)}};
}

Json json_of(const Input& input)
{
    Json json = {{"frame", input.frame}};
    json.update(std::visit([](const auto& what) { return json_of(what); }, input.what));
    return json;
}

std::string text_of_hashes(const std::vector<std::uint64_t>& hashes)
{
    std::string text;
    for (const std::uint64_t hash : hashes) text += fmt::format("{:06x}", hash & kHashMask);
    return text;
}

/// Reads a recording; every complaint names the key.
class RecordingReader {
  public:
    RecordingReader(const Json& root, const std::string& source) : root_(root), source_(source) {}

    Recording read()
    {
        if (!root_.is_object() || !root_.contains(kTag)) fail("this is no recording of Pliant");
        if (const int version = get<int>(root_, kTag); version != kRecordingVersion)
            fail(fmt::format("it is of version {}; this program reads version {}", version, kRecordingVersion));
        Recording recording;
        recording.scene = read_scene(member(root_, "scene"));
        recording.unit = get<double>(root_, "unit");
        int exponent = 0;
        if (!(recording.unit > 0) || std::frexp(recording.unit, &exponent) != 0.5) fail("unit must be a power of two");
        for (const Json& input : member(root_, "inputs")) recording.inputs.push_back(read_input(input));
        recording.hashes = read_hashes();
        recording.last_hash = read_hash(get<std::string>(root_, "last"));
        if (((recording.last_hash ^ recording.hashes.back()) & kHashMask) != 0)
            fail("\"last\" is not the last of \"hashes\"");
        check_inputs(recording);
        return recording;
    }

  private:
    [[noreturn]] void fail(const std::string& reason) const { throw InputError(source_ + ": " + reason); }

    const Json& member(const Json& json, const char* key) const
    {
        if (!json.is_object() || !json.contains(key)) fail(fmt::format("the key \"{}\" is missing", key));
        return json.at(key);
    }
    template <class T>
    T get(const Json& json, const char* key) const
    {
        try {
            return member(json, key).get<T>();
        } catch (const nlohmann::json::exception&) {
            fail(fmt::format("\"{}\" is {}", key, brief(json.at(key))));
        }
    }

    SceneText read_scene(const Json& json) const
    {
        SceneText scene;
        scene.source = get<std::string>(json, "source");
        scene.text = get<std::string>(json, "text");
        scene.sets = get<std::vector<std::string>>(json, "sets");
        for (const auto& file : member(json, "files").items()) {
            const std::optional<std::string> bytes =
                decode_base64(file.value().is_string() ? file.value().get<std::string>() : "?");
            if (!bytes) fail(fmt::format("the file \"{}\" is not base64", file.key()));
            scene.files[file.key()] = *bytes;
        }
        return scene;
    }

    Input read_input(const Json& json) const
    {
        const int frame = get<int>(json, "frame");
        if (json.contains("set")) return {frame, SetInput{get<std::string>(json, "set"), member(json, "value").dump()}};
        if (json.contains("release")) return {frame, ReleaseInput{get<int>(json, "release")}};
        GrabInput grab;
        grab.hand = get<int>(json, "grab");
        grab.body = get<std::string>(json, "body");
        grab.particle = get<int>(json, "particle");
        grab.compliance = get<double>(json, "compliance");
        grab.at = get<GridPoint>(json, "at");
        const auto steps = get<std::vector<std::int64_t>>(json, "path");
        GridPoint place = grab.at;
        for (std::size_t k = 0; k + 2 < steps.size(); k += 3) {
            for (std::size_t i = 0; i < 3; ++i) place[i] += steps[k + i];
            grab.path.push_back(place);
        }
        return {frame, std::move(grab)};
    }

    std::uint64_t read_hash(std::string_view digits) const
    {
        std::uint64_t hash = 0;
        const char* end = digits.data() + digits.size();
        if (digits.empty() || std::from_chars(digits.data(), end, hash, 16).ptr != end)
            fail(fmt::format("a hash is \"{}\"; it should be hexadecimal digits", digits));
        return hash;
    }

    std::vector<std::uint64_t> read_hashes() const
    {
        const auto text = get<std::string>(root_, "hashes");
        std::vector<std::uint64_t> hashes;
        for (std::size_t k = 0; k + kHashDigits <= text.size(); k += kHashDigits)
            hashes.push_back(read_hash(std::string_view(text).substr(k, kHashDigits)));
        if (hashes.empty() || text.size() % kHashDigits != 0) fail("\"hashes\" is cut off");
        return hashes;
    }

    void check_inputs(const Recording& recording) const
    {
        int last = 0;
        for (const Input& input : recording.inputs) {
            if (input.frame < last || input.frame > recording.frames())
                fail(fmt::format("the inputs are not in order at frame {}", input.frame));
            last = input.frame;
        }
    }

    const Json& root_;
    std::string source_;
};

}  // namespace

SceneText read_scene_source(const std::string& path_or_name, std::vector<std::string> sets)
{
    if (path_exists(path_or_name)) return {path_or_name, read_text_file(path_or_name), std::move(sets)};
    for (BuiltinScene& scene : builtin_scenes())
        if (scene.name == path_or_name) return {path_or_name, std::move(scene.text), std::move(sets)};
    throw FileError(fmt::format("cannot read scene \"{}\"", path_or_name));
}

std::string write_recording(const Recording& recording)
{
    Json files = Json::object();
    for (const auto& [name, bytes] : recording.scene.files) files[name] = encode_base64(bytes);
    const Json scene = {{"source", recording.scene.source},
                        {"text", recording.scene.text},
                        {"sets", recording.scene.sets},
                        {"files", std::move(files)}};
    const auto line = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
    std::string text =
        fmt::format("{{\"{}\": {}, \"program\": \"{}.{}.{}\",\n\"scene\": {},\n\"unit\": {},\n\"inputs\": [", kTag,
                    kRecordingVersion, PLIANT_VERSION_MAJOR, PLIANT_VERSION_MINOR, PLIANT_VERSION_PATCH, line(scene),
                    line(recording.unit));
    const char* separator = "\n";
    for (const Input& input : recording.inputs) {
        text += separator + line(json_of(input));
        separator = ",\n";
    }
    return text + fmt::format("],\n\"hashes\": \"{}\",\n\"last\": \"{:016x}\"}}\n", text_of_hashes(recording.hashes),
                              recording.last_hash);
}

Recording read_recording(std::string_view json, const std::string& source)
{
    const JsonText text = parse_json(json, source);
    return RecordingReader(text.root, source).read();
}

bool is_recording(std::string_view json)
{
    return json.substr(0, 64).find(fmt::format("\"{}\"", kTag)) != std::string_view::npos;
}

}  // namespace pliant
