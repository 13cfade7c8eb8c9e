#include "pliant/session/checkpoint.h"

#include "pliant/base/check.h"
#include "pliant/files/atomic_file.h"
#include "pliant/files/paths.h"
#include "pliant/files/text_reader.h"
#include "pliant/snapshot/sealed.h"
#include "pliant/snapshot/snapshot.h"

#include <fmt/format.h>

#include <system_error>

namespace pliant {

PLIANT_MEMBERS(Checkpoint, start, frame, world, hashes, expect, watch, outputs)

namespace {

std::string name_before(const std::string& path) { return path + ".before"; }
std::string name_new(const std::string& path) { return path + ".new"; }

void require(int error, const std::string& path)
{
    if (error != 0) throw FileError(fmt::format("cannot write '{}': {}", path, std::generic_category().message(error)));
}

}  // namespace

std::uint64_t fingerprint(const World& start) { return snapshot_checksum(write_snapshot(start)); }

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint)
{
    const std::string fresh = name_new(path), folder = parent_path(path);
    write_file(fresh, write_sealed(checkpoint));
    require(sync_path(fresh), fresh);
    if (path_exists(path)) require(rename_path(path, name_before(path)), path);
    require(rename_path(fresh, path), path);
    require(sync_path(folder.empty() ? "." : folder), path);
}

FoundCheckpoint find_checkpoint(const std::string& path, std::uint64_t start)
{
    FoundCheckpoint found;
    bool another_run = false;
    for (const std::string& file : {name_new(path), path, name_before(path)}) {
        if (kind_of_path(file) != PathKind::file) continue;
        try {
            Checkpoint checkpoint = read_sealed<Checkpoint>(read_bytes(file), file);
            if (checkpoint.start != start) {
                another_run = true;
                throw InputError(
                    fmt::format("{}: it is of a run with another start: the scene, a --set, the --jitter or "
                                "a mesh has changed; run without --resume to start again",
                                file));
            }
            if (!found.checkpoint || found.checkpoint->frame < checkpoint.frame)
                found.checkpoint = std::move(checkpoint);
        } catch (const InputError& error) {
            found.passed_over.emplace_back(error.what());
        }
    }
    if (!found.passed_over.empty() && (!found.checkpoint || another_run)) throw InputError(found.passed_over.front());
    return found;
}

}  // namespace pliant
