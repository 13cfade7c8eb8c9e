#pragma once
// Snapshots: a World as bytes, and back. A World that was read goes on with the same bits as the one that was written, in any
// build of the same precision, on any machine and in the browser.
//
// A snapshot has all of the World, not only what moves: bodies that were added, changed or removed since a scene was
// read are there as they are, and no scene is needed to go on. In front of the bytes (snapshot/bytes.h) stand the version
// of the format, the precision, a fingerprint of the layout and a checksum. The checksum finds damage; it does not protect
// from someone who forges a snapshot.
//
//   save   write_file("a.snapshot", write_snapshot(world))
//   load   world = read_snapshot(read_bytes("a.snapshot"), "a.snapshot")

#include "pliant/world/world.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace pliant {

std::string write_snapshot(const World& world);

/// Throws InputError, beginning with `source`: it is something else, of another version or precision, or damaged.
World read_snapshot(std::string_view bytes, const std::string& source = "snapshot");

/// The checksum of a snapshot: equal for Worlds that are equal to the last bit.
std::uint64_t snapshot_checksum(std::string_view bytes);

}  // namespace pliant
