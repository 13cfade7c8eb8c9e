#pragma once
// A server that only programs on the same machine can reach: one thread, a few connections at a time.

#include "http.h"

#include <functional>
#include <string>
#include <vector>

namespace pliant::cli {

class LoopbackServer {
  public:
    using Answer = std::function<HttpResponse(const HttpRequest&)>;

    /// Listens on 127.0.0.1; port 0 takes a free one. Throws FileError if the port is taken.
    explicit LoopbackServer(int port);
    ~LoopbackServer();
    LoopbackServer(const LoopbackServer&) = delete;
    LoopbackServer& operator=(const LoopbackServer&) = delete;

    int port() const { return port_; }

    /// Answers until `stop` says so, which is asked a few times a second.
    void serve(const Answer& answer, const std::function<bool()>& stop);

  private:
    struct Connection {
        int socket;
        double deadline;  // when it is closed, whatever it does [s]
        std::string in{}, out{};
        std::size_t sent = 0;
    };

    void accept_all();
    /// Reads and writes what can be. Returns whether the connection is done.
    bool advance(Connection& connection, short events, const Answer& answer) const;
    void poll_once(const Answer& answer);

    int socket_ = -1;
    int port_ = 0;
    std::vector<Connection> connections_;
};

}  // namespace pliant::cli
