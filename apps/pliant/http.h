#pragma once
// As much of HTTP/1.1 as one page on the same machine needs: a request that fits into memory, a response, and the
// connection is closed. Whatever is unusual is refused.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace pliant::cli {

inline constexpr std::size_t kMaxHead = 16 * 1024;         // [bytes]
inline constexpr std::size_t kMaxBody = 16 * 1024 * 1024;  // [bytes]

struct HttpRequest {
    std::string method, path, query;             // of "/a?b": "/a" and "b"
    std::map<std::string, std::string> headers;  // by name in lower case
    std::string body;

    std::string header(const std::string& name) const;
};

struct HttpResponse {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";
    std::string body{};

    /// As it goes over the wire; without the body for a HEAD.
    std::string text(bool with_body) const;
};

/// What came in so far: a request, a refusal of it, or neither if more is to come.
struct HttpParsed {
    std::optional<HttpRequest> request;
    std::optional<HttpResponse> refusal;
};
HttpParsed parse_request(std::string_view bytes);

}  // namespace pliant::cli
