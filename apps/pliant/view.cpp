#include "commands.h"
#include "loopback_server.h"
#include "view_site.h"

#include "pliant/files/encoder_pipe.h"

#include <fmt/format.h>
#include <spawn.h>
#include <CLI/CLI.hpp>

#include <array>
#include <csignal>
#include <cstdlib>
#include <memory>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX asks programs to declare it

namespace pliant::cli {

namespace {

struct ViewOptions {
    std::string shown;
    int port = 0;
    bool no_browser = false;
};

volatile std::sig_atomic_t stopped = 0;  // set by a signal: there is no other way to tell

/// Starts a browser where there is a screen. Returns whether it did.
bool open_browser(std::string address)
{
    const auto is_set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) return false;
    if (!is_installed("xdg-open")) return false;
    std::string program = "xdg-open";
    std::array<char*, 3> arguments = {program.data(), address.data(), nullptr};
    pid_t child = 0;
    return posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments.data(), environ) == 0;
}

ExitCode view(const ViewOptions& options)
{
    LoopbackServer server(options.port);
    ViewSite site(options.shown, make_token(), server.port());
    std::signal(SIGINT, [](int) { stopped = 1; });
    std::signal(SIGTERM, [](int) { stopped = 1; });
    std::signal(SIGCHLD, SIG_IGN);  // the browser is not waited for
    const bool opened = !options.no_browser && open_browser(site.address());
    fmt::print("{}\n  {}\nCtrl+C ends it.\n",
               opened ? "The browser shows" : "Open in a browser on this machine:", site.address());
    std::fflush(stdout);
    server.serve([&](const HttpRequest& request) { return site.answer(request); }, [] { return stopped != 0; });
    return kDone;
}

}  // namespace

void add_view(CLI::App& app, Action& chosen)
{
    const auto options = std::make_shared<ViewOptions>();
    CLI::App& command = *app.add_subcommand("view", "Show a scene or a result in the browser, live");
    command.add_option("shown", options->shown,
                       "Scene file or built-in scene, run live and again when the file changes; a recording; a page of "
                       "`pliant run -o FILE.html`; without it the gallery");
    command.add_option("--port", options->port, "Port on this machine; 0, the default, takes a free one")
        ->type_name("N")
        ->check(CLI::Range(0, 65535));
    command.add_flag("--no-browser", options->no_browser, "Print the address and open no browser");
    command.callback([options, &chosen] { chosen = [options] { return view(*options); }; });
}

}  // namespace pliant::cli
