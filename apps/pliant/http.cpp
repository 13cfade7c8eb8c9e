#include "http.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace pliant::cli {

namespace {

const char* reason_of(int status)
{
    switch (status) {
        case 200: return "OK";
        case 204: return "No Content";
        case 400: return "Bad Request";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 409: return "Conflict";
        case 413: return "Content Too Large";
        case 431: return "Request Header Fields Too Large";
        default: return "Internal Server Error";
    }
}

// Nothing from elsewhere is loaded, nothing is kept, and no other page may look inside.
constexpr const char* kHeaders =
    "Connection: close\r\n"
    "Cache-Control: no-store\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cross-Origin-Embedder-Policy: require-corp\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Content-Security-Policy: default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; style-src "
    "'self' "
    "'unsafe-inline'; img-src 'self' data: blob:; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'\r\n";

HttpParsed refuse(int status, std::string why)
{
    HttpParsed parsed;
    parsed.refusal = HttpResponse{status, "text/plain; charset=utf-8", fmt::format("{}\n", why)};
    return parsed;
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

std::string in_lower_case(std::string_view text)
{
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

/// "GET /path?query HTTP/1.1". Says what is wrong with it; empty for nothing.
std::string read_first_line(std::string_view line, HttpRequest& request)
{
    const std::size_t first = line.find(' '), last = line.rfind(' ');
    if (first == std::string_view::npos || last <= first) return "this is no request";
    const std::string_view version = line.substr(last + 1);
    if (version != "HTTP/1.1" && version != "HTTP/1.0") return "this is not HTTP/1.1";
    request.method = line.substr(0, first);
    const std::string_view target = line.substr(first + 1, last - first - 1);
    const bool plain = std::ranges::all_of(target, [](char c) { return c > ' ' && c < 0x7f && c != '%' && c != '\\'; });
    if (target.empty() || target[0] != '/' || !plain) return "an address begins with / and has no escapes";
    const std::size_t question = std::min(target.find('?'), target.size());
    request.path = target.substr(0, question);
    request.query = target.substr(std::min(question + 1, target.size()));
    if (request.path.find("..") != std::string::npos || request.path.find("//") != std::string::npos)
        return "no folder above is shown";
    return {};
}

std::string read_headers(std::string_view head, HttpRequest& request)
{
    while (!head.empty()) {
        const std::size_t end = std::min(head.find("\r\n"), head.size());
        const std::string_view line = head.substr(0, end);
        head.remove_prefix(std::min(end + 2, head.size()));
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || colon == 0 || line[0] == ' ' || line[0] == '\t')
            return "a header has a name and a colon";
        const bool added =
            request.headers.emplace(in_lower_case(line.substr(0, colon)), trimmed(line.substr(colon + 1))).second;
        if (!added) return "a header is there twice";
    }
    return {};
}

}  // namespace

std::string HttpRequest::header(const std::string& name) const
{
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
}

std::string HttpResponse::text(bool with_body) const
{
    std::string out = fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}\r\n", status,
                                  reason_of(status), type, body.size(), kHeaders);
    if (with_body) out += body;
    return out;
}

HttpParsed parse_request(std::string_view bytes)
{
    const std::size_t end = bytes.find("\r\n\r\n");
    if (end == std::string_view::npos ? bytes.size() > kMaxHead : end > kMaxHead)
        return refuse(431, "the headers are too long");
    if (end == std::string_view::npos) return {};
    const std::string_view head = bytes.substr(0, end);
    const std::size_t line = std::min(head.find("\r\n"), head.size());
    HttpRequest request;
    std::string mistake = read_first_line(head.substr(0, line), request);
    if (mistake.empty()) mistake = read_headers(head.substr(std::min(line + 2, head.size())), request);
    if (mistake.empty() && !request.header("transfer-encoding").empty()) mistake = "a body has a length";
    if (!mistake.empty()) return refuse(400, mistake);

    std::size_t length = 0;
    if (const std::string said = request.header("content-length"); !said.empty()) {
        const auto [stop, error] = std::from_chars(said.data(), said.data() + said.size(), length);
        if (error != std::errc() || stop != said.data() + said.size()) return refuse(400, "a length is a number");
    }
    if (length > kMaxBody) return refuse(413, "that is too long");
    if (bytes.size() < end + 4 + length) return {};
    request.body = bytes.substr(end + 4, length);
    HttpParsed parsed;
    parsed.request = std::move(request);
    return parsed;
}

}  // namespace pliant::cli
