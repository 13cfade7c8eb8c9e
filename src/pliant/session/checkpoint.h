#pragma once
// Checkpoints of a run: a snapshot of the World, and what else the rest of the run needs, in a file. There are up to two of
// them: a new one is written under a name of its own, flushed to the disk and renamed, and the one before stays beside it
// (`.before`). Whatever moment the power goes, one of them is whole.

#include "pliant/report/expect.h"
#include "pliant/report/watch.h"
#include "pliant/world/world.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

struct Checkpoint {
    std::uint64_t start = 0;  // fingerprint of the initial state: see fingerprint()
    int frame = 0;
    std::shared_ptr<const World> world;
    std::vector<std::uint64_t> hashes;           // per frame, for a recording; may be empty
    std::optional<ExpectCheck::Samples> expect;  // of a run that checks them
    std::optional<Watch::State> watch;           // of a run that is watched
    std::map<std::string, std::string> outputs;  // FrameWriter::state by path
};

/// Two runs that start from Worlds with equal fingerprints are the same run.
std::uint64_t fingerprint(const World& start);

/// Replaces the checkpoint at `path`. Throws FileError; the one before is then still there.
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);

struct FoundCheckpoint {
    std::optional<Checkpoint> checkpoint;  // the latest that is whole; none if there are no files
    std::vector<std::string> passed_over;  // why others were not used, a sentence each
};

/// Looks for the checkpoints of a run with that fingerprint. Throws InputError if there are files and none can be used.
FoundCheckpoint find_checkpoint(const std::string& path, std::uint64_t start);

}  // namespace pliant
