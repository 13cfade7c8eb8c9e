#include "pliant/snapshot/snapshot.h"

#include "pliant/base/build.h"
#include "pliant/base/check.h"
#include "pliant/base/hash.h"
#include "pliant/base/message.h"
#include "pliant/snapshot/sealed.h"

namespace pliant {

namespace {

struct SealHeader {
    std::array<char, 8> mark{'P', 'L', 'I', 'A', 'N', 'T', 'S', 'N'};
    std::array<int, 2> version{kSealVersion, sizeof(Real)};  // of the format; bytes of a Real
    std::uint64_t layout = 0;                                // fingerprint
    std::uint64_t size = 0;                                  // of what follows [bytes]
    std::uint64_t checksum = 0;                              // of all of the above and what follows
};
PLIANT_MEMBERS(SealHeader, mark, version, layout, size, checksum)

constexpr std::size_t kHeaderSize = 40;  // [bytes]

/// Of any number of bytes: four at a time, the last ones filled up with zeros.
std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t start = 0)
{
    Hash64 hash;
    const std::uint64_t head[] = {start, bytes.size()};
    hash.add(std::span<const std::uint64_t>(head));
    std::uint32_t word = 0;
    std::size_t at = 0;
    for (; at + 4 <= bytes.size(); at += 4) {
        std::memcpy(&word, bytes.data() + at, 4);
        hash.add(std::span<const std::uint32_t>(&word, 1));
    }
    word = 0;
    if (at < bytes.size()) std::memcpy(&word, bytes.data() + at, bytes.size() - at);
    hash.add(std::span<const std::uint32_t>(&word, 1));
    return hash.value();
}

std::string bytes_of(const SealHeader& header)
{
    ByteWriter writer;
    writer.put(header);
    return writer.take();
}

std::uint64_t checksum_of(SealHeader header, std::string_view bytes)
{
    header.checksum = 0;
    return hash_bytes(bytes, hash_bytes(bytes_of(header)));
}

const char* precision(int bytes) { return bytes == sizeof(float) ? "single" : "double"; }

[[noreturn]] void refuse_snapshot(const std::string& source, const std::string& why)
{
    throw InputError(source + ": " + why);
}

}  // namespace

namespace detail {

std::string seal(const std::string& bytes, std::string_view layout)
{
    SealHeader header;
    header.layout = hash_bytes(layout);
    header.size = bytes.size();
    header.checksum = checksum_of(header, bytes);
    return bytes_of(header) + bytes;
}

std::string_view unseal(std::string_view sealed, std::string_view layout, const std::string& source)
{
    SealHeader header;
    const SealHeader ours;
    if (sealed.substr(0, ours.mark.size()) != std::string_view(ours.mark.data(), ours.mark.size()))
        refuse_snapshot(source, "this is no snapshot of Pliant");
    if (sealed.size() < kHeaderSize) fail_damaged(source);
    ByteReader(sealed.substr(0, kHeaderSize)).get(header);
    const std::string_view bytes = sealed.substr(kHeaderSize);
    const int real = header.version[1];
    if (real != ours.version[1] && (real == sizeof(float) || real == sizeof(double)))
        refuse_snapshot(source,
                        message("a snapshot in {} precision; this program computes in {} precision and could not go on "
                                "with the same bits",
                                precision(real), precision(sizeof(Real))));
    if (header.version[0] == ours.version[0] &&
        (header.size != bytes.size() || header.checksum != checksum_of(header, bytes)))
        fail_damaged(source);
    if (header.version[0] != ours.version[0] || header.layout != hash_bytes(layout))
        refuse_snapshot(
            source, message("a snapshot of another kind, or of another version of Pliant; this is {}.{}.{}. Use the "
                            "program that wrote it, or start again",
                            PLIANT_VERSION_MAJOR, PLIANT_VERSION_MINOR, PLIANT_VERSION_PATCH));
    return bytes;
}

void fail_damaged(const std::string& source)
{
    refuse_snapshot(source, "this snapshot is damaged or incomplete; use an earlier one");
}

}  // namespace detail

std::string write_snapshot(const World& world) { return write_sealed(world); }

std::uint64_t snapshot_checksum(std::string_view bytes) { return hash_bytes(bytes); }

World read_snapshot(std::string_view bytes, const std::string& source) { return read_sealed<World>(bytes, source); }

}  // namespace pliant
