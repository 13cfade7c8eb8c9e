#include "view_site.h"

#include "pliant/base/check.h"
#include "pliant/files/atomic_file.h"
#include "pliant/files/paths.h"
#include "pliant/files/web_files.h"
#include "pliant/json/json_text.h"
#include "pliant/session/recording.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <functional>

namespace pliant::cli {

namespace {

namespace fs = std::filesystem;

HttpResponse refuse(int status, std::string why)
{
    return {status, "text/plain; charset=utf-8", fmt::format("{}\n", why)};
}

HttpResponse give_json(const Json& json) { return {200, "application/json", json.dump()}; }

const char* type_of(const std::string& file)
{
    static const std::map<std::string, const char*> kTypes = {{".html", "text/html; charset=utf-8"},
                                                              {".js", "text/javascript; charset=utf-8"},
                                                              {".css", "text/css; charset=utf-8"},
                                                              {".wasm", "application/wasm"},
                                                              {".svg", "image/svg+xml"},
                                                              {".png", "image/png"}};
    const auto found = kTypes.find(lower_extension(file));
    return found == kTypes.end() ? "application/octet-stream" : found->second;
}

/// The files of the built page by their addresses.
std::map<std::string, std::string> list_page()
{
    const std::string root = join_paths(find_web_folder(), "page");
    if (!path_exists(join_paths(root, "index.html")))
        throw FileError(
            fmt::format("there is no page in '{}'; `make page` builds it, or name the folder that has page/ in "
                        "the environment as PLIANT_WEB",
                        root));
    std::map<std::string, std::string> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root))
        if (entry.is_regular_file())
            files[fmt::format("/{}", fs::relative(entry.path(), root).generic_string())] = entry.path().string();
    files["/"] = files["/index.html"];
    return files;
}

/// All that stands at a key `file`, wherever in the scene.
void find_files(const Json& json, std::vector<std::string>& out)
{
    for (const auto& [key, value] : json.items()) {
        if (json.is_object() && key == "file" && value.is_string()) out.push_back(value.get<std::string>());
        else if (value.is_structured()) find_files(value, out);
    }
}

std::vector<std::string> files_of_scene(const std::string& text)
{
    std::vector<std::string> files;
    try {
        find_files(parse_json(text, "scene").root, files);
    } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the page shows what is wrong with it
    }
    return files;
}

/// Takes as long for any two texts of a length.
bool same_secret(const std::string& a, const std::string& b)
{
    int different = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) different |= a[i] ^ b[i];
    return different == 0;
}

}  // namespace

std::string make_token()
{
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw FileError("this system gives no random numbers for a token");
    std::string token;
    for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
    return token;
}

ViewSite::ViewSite(std::string shown, std::string token, int port)
    : shown_(std::move(shown)), token_(std::move(token)), port_(port)
{
    if (!shown_.empty()) {
        if (!path_exists(shown_)) kind_ = Kind::builtin;
        else if (lower_extension(shown_) == ".html") kind_ = Kind::page;
        else kind_ = is_recording(read_text_file(shown_)) ? Kind::recording : Kind::scene;
    }
    if (kind_ == Kind::builtin) read_scene_source(shown_, {});  // throws if there is none of that name
    if (kind_ != Kind::page) page_ = list_page();
}

std::string ViewSite::address() const
{
    if (kind_ == Kind::page) return fmt::format("http://127.0.0.1:{}/session/page?token={}", port_, token_);
    return fmt::format("http://127.0.0.1:{}/#view={}", port_, token_);
}

HttpResponse ViewSite::answer(const HttpRequest& request)
{
    if (!comes_from_here(request)) return refuse(403, "this page is for this machine alone");
    try {
        if (request.path.starts_with("/session/")) return answer_session(request);
        if (request.method != "GET" && request.method != "HEAD") return refuse(405, "only GET");
        const auto found = page_.find(request.path);
        if (found == page_.end()) return refuse(404, "there is no such file");
        return {200, type_of(found->second), read_text_file(found->second)};
    } catch (const std::exception& error) {
        return refuse(409, error.what());
    }
}

bool ViewSite::comes_from_here(const HttpRequest& request) const
{
    const std::string host = request.header("host"), origin = request.header("origin");
    const auto is_us = [&](const std::string& name) {
        return name == fmt::format("127.0.0.1:{}", port_) || name == fmt::format("localhost:{}", port_);
    };
    return is_us(host) && (origin.empty() || origin == fmt::format("http://{}", host));
}

bool ViewSite::has_token(const HttpRequest& request) const
{
    if (request.path == "/session/page") return same_secret(request.query, fmt::format("token={}", token_));
    return same_secret(request.header("x-pliant-token"), token_);
}

HttpResponse ViewSite::answer_session(const HttpRequest& request)
{
    if (!has_token(request)) return refuse(403, "the token is missing or wrong; open the address that was printed");
    if (request.method == "PUT" && request.path == "/session/text") return save(request);
    if (request.method != "GET" && request.method != "HEAD") return refuse(405, "only GET");
    if (request.path == "/session/info") return info();
    if (request.path == "/session/text") return {200, "application/json", text()};
    if (request.path == "/session/page" && kind_ == Kind::page) return {200, type_of(".html"), text()};
    constexpr std::string_view kFiles = "/session/files/";
    if (kind_ != Kind::scene || !request.path.starts_with(kFiles)) return refuse(404, "there is no such thing");
    std::size_t number = 0;
    const char* end = request.path.data() + request.path.size();
    const auto [stop, error] = std::from_chars(request.path.data() + kFiles.size(), end, number);
    const std::vector<std::string> files = files_of_scene(text());
    if (error != std::errc() || stop != end || number >= files.size()) return refuse(404, "there is no such file");
    return {200, "application/octet-stream", read_text_file(join_paths(parent_path(shown_), files[number]))};
}

HttpResponse ViewSite::info()
{
    static constexpr const char* kKinds[] = {"gallery", "builtin", "scene", "recording", "page"};
    const bool file = kind_ == Kind::scene || kind_ == Kind::recording;
    const std::string content = file ? text() : "";
    const std::vector<std::string> files = kind_ == Kind::scene ? files_of_scene(content) : std::vector<std::string>();
    return give_json({{"kind", kKinds[static_cast<int>(kind_)]},
                      {"name", kind_ == Kind::builtin ? shown_ : path_stem(shown_)},
                      {"version", fmt::format("{:016x}", std::hash<std::string>()(content))},
                      {"files", files}});
}

HttpResponse ViewSite::save(const HttpRequest& request)
{
    if (kind_ != Kind::scene) return refuse(409, "only a scene file can be written");
    write_file(shown_, request.body);
    return {204, "text/plain; charset=utf-8", ""};
}

std::string ViewSite::text() const
{
    return kind_ == Kind::builtin || kind_ == Kind::gallery ? "" : read_text_file(shown_);
}

}  // namespace pliant::cli
