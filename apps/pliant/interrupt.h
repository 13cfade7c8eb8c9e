#pragma once
// Ctrl-C and termination, as a request that a run looks at between frames. A second one ends the program at once.

namespace pliant::cli {

class Interrupt {
  public:
    /// Takes over SIGINT and SIGTERM.
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    /// The signal that has arrived; 0 for none.
    static int arrived();
    /// Ends the program as that signal would have.
    [[noreturn]] static void pass_on(int signal);
};

}  // namespace pliant::cli
