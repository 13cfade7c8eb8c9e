#include "loopback_server.h"

#include "pliant/base/check.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>

namespace pliant::cli {

namespace {

constexpr std::size_t kMaxConnections = 64;
constexpr double kPatience = 20;  // for one request and its answer [s]
constexpr int kWait = 200;        // before `stop` is asked again [ms]

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

sockaddr_in loopback(int port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

sockaddr* generic(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

LoopbackServer::LoopbackServer(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0))
{
    sockaddr_in address = loopback(port);
    const int on = 1;
    setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    socklen_t size = sizeof address;
    if (socket_ < 0 || bind(socket_, generic(address), size) != 0 || listen(socket_, 32) != 0 ||
        getsockname(socket_, generic(address), &size) != 0)
        throw FileError(fmt::format("cannot listen on port {} of this machine: {}; try another --port", port,
                                    std::generic_category().message(errno)));
    port_ = ntohs(address.sin_port);
}

LoopbackServer::~LoopbackServer()
{
    for (const Connection& connection : connections_) close(connection.socket);
    if (socket_ >= 0) close(socket_);
}

void LoopbackServer::serve(const Answer& answer, const std::function<bool()>& stop)
{
    while (!stop()) poll_once(answer);
}

void LoopbackServer::poll_once(const Answer& answer)
{
    std::vector<pollfd> waits = {{socket_, POLLIN, 0}};
    for (const Connection& c : connections_)
        waits.push_back({c.socket, static_cast<short>(c.out.empty() ? POLLIN : POLLOUT), 0});
    if (poll(waits.data(), waits.size(), kWait) < 0 && errno != EINTR) return;
    std::vector<Connection> open;
    for (std::size_t i = 0; i < connections_.size(); ++i) {
        Connection& connection = connections_[i];
        const bool done = now() > connection.deadline || advance(connection, waits[i + 1].revents, answer);
        if (done) close(connection.socket);
        else open.push_back(std::move(connection));
    }
    connections_ = std::move(open);
    if ((waits[0].revents & POLLIN) != 0) accept_all();
}

void LoopbackServer::accept_all()
{
    while (true) {
        const int incoming = accept4(socket_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (incoming < 0) return;
        if (connections_.size() >= kMaxConnections) close(incoming);
        else connections_.push_back({incoming, now() + kPatience});
    }
}

bool LoopbackServer::advance(Connection& connection, short events, const Answer& answer) const
{
    if ((events & (POLLERR | POLLNVAL)) != 0) return true;
    if (connection.out.empty()) {
        if ((events & (POLLIN | POLLHUP)) == 0) return false;
        std::array<char, 65536> buffer{};
        const ssize_t got = recv(connection.socket, buffer.data(), buffer.size(), 0);
        if (got <= 0) return got == 0 || !would_block();
        connection.in.append(buffer.data(), static_cast<std::size_t>(got));
        const HttpParsed parsed = parse_request(connection.in);
        if (parsed.refusal) connection.out = parsed.refusal->text(true);
        else if (parsed.request) connection.out = answer(*parsed.request).text(parsed.request->method != "HEAD");
        return false;
    }
    if ((events & POLLHUP) != 0) return true;
    if ((events & POLLOUT) == 0) return false;
    const ssize_t put = send(connection.socket, connection.out.data() + connection.sent,
                             connection.out.size() - connection.sent, MSG_NOSIGNAL);
    if (put < 0) return !would_block();
    connection.sent += static_cast<std::size_t>(put);
    return connection.sent == connection.out.size();
}

}  // namespace pliant::cli
