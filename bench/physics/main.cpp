// Prints a table of figures and says whether all are within their limits. `pliant bench --physics` runs this program.

#include "bench/physics/physics.h"

#include "pliant/base/parallel.h"

#include <fmt/format.h>

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <exception>
#include <regex>

namespace pliant::physics {

double error_of(const Figure& f)
{
    const double scale = f.scale > 0 ? f.scale : std::abs(f.expected);
    return 100 * std::abs(f.measured - f.expected) / scale;
}

namespace {

enum ExitCode { kDone = 0, kWrongUsage = 2, kOff = 6 };  // as those of the command line

std::vector<Case> find_cases(const std::regex& filter)
{
    std::vector<Case> found;
    for (const std::span<const Case> family : {rod_bending_cases(), rod_buckling_cases()})
        for (const Case& c : family)
            if (std::regex_search(c.name, filter)) found.push_back(c);
    return found;
}

void show_progress(std::size_t done, std::size_t count, const char* name)
{
    if (isatty(STDERR_FILENO) == 0) return;
    fmt::print(stderr, "\r[{}/{}] {} \033[K", done + 1, count, name);
    std::fflush(stderr);
}

void clear_progress()
{
    if (isatty(STDERR_FILENO) == 0) return;
    fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
}

void print_head()
{
    fmt::print("{:<24} {:<44} {:>12} {:>12} {:>9} {:>7}\n", "case", "what", "expected", "measured", "error %", "limit");
}

/// One line of the table; whether it is within its limit.
bool print_figure(const Case& c, const Figure& f)
{
    const double error = error_of(f);
    const bool good = error <= f.limit;  // not for NaN
    fmt::print("{:<24} {:<44} {:>12.6g} {:>12.6g} {:>9.4f} {:>7g}  {}\n", c.name, f.what, f.expected, f.measured, error,
               f.limit, good ? "ok" : "OFF");
    return good;
}

/// How many figures of a case are off; a case that breaks counts as one.
int print_case(const Case& c, std::size_t number, std::size_t count)
{
    show_progress(number, count, c.name);
    std::vector<Figure> figures;
    try {
        figures = c.measure();
    } catch (const std::exception& error) {
        clear_progress();
        fmt::print("{:<24} {}  OFF\n", c.name, error.what());
        return 1;
    }
    clear_progress();
    int off = 0;
    for (const Figure& f : figures)
        if (!print_figure(c, f)) ++off;
    std::fflush(stdout);
    return off;
}

ExitCode check(const char* filter)
{
    std::vector<Case> cases;
    try {
        cases = find_cases(std::regex(filter));
    } catch (const std::regex_error& error) {
        fmt::print(stderr, "pliant: error: \"{}\" is not a regular expression: {}\n", filter, error.what());
        return kWrongUsage;
    }
    if (cases.empty()) {
        fmt::print(stderr, "pliant: error: no case matches \"{}\"; without a filter all of them run\n", filter);
        return kWrongUsage;
    }
    const auto start = std::chrono::steady_clock::now();
    print_head();
    int off = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) off += print_case(cases[i], i, cases.size());
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    fmt::print("{} cases in {:.1f} s, {}\n", cases.size(), passed.count(),
               off == 0 ? "all within their limits" : fmt::format("{} figures OFF", off));
    return off == 0 ? kDone : kOff;
}

}  // namespace
}  // namespace pliant::physics

int main(int argc, char** argv)
{
    pliant::set_threads(1);  // a rod or two at a time: nothing to share
    return pliant::physics::check(argc > 1 ? argv[1] : "");
}
