#include "interrupt.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace pliant::cli {

namespace {

volatile std::sig_atomic_t arrived_signal = 0;  // NOLINT(*-global-variables): all that a handler may write to

extern "C" void note_signal(int signal)
{
    arrived_signal = signal;
    std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt()
{
    arrived_signal = 0;
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, note_signal);
}

Interrupt::~Interrupt()
{
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
}

int Interrupt::arrived() { return arrived_signal; }

void Interrupt::pass_on(int signal)
{
    std::fflush(nullptr);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    std::abort();  // not reached
}

}  // namespace pliant::cli
