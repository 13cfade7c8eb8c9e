#include "pliant/files/spooled_writer.h"

#include "pliant/base/check.h"
#include "pliant/files/paths.h"
#include "pliant/snapshot/sealed.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace pliant {

namespace {

static_assert(sizeof(Float3) == 12);

struct SpoolState {
    std::vector<double> times;
};
PLIANT_MEMBERS(SpoolState, times)

}  // namespace

std::vector<Float3> SpooledBody::frame(int number) const
{
    const std::size_t size = sizeof(Float3) * points;
    const std::string bytes = file->read(static_cast<std::int64_t>(size) * number, size);
    std::vector<Float3> list(points);
    std::memcpy(list.data(), bytes.data(), size);
    return list;
}

SpooledWriter::SpooledWriter(std::string path, const WriterOptions& options)
    : path_(std::move(path)), options_(options), meshes_(path_, options)
{}

SpooledWriter::~SpooledWriter() = default;

void SpooledWriter::open(std::span<const BodyMesh> meshes, StreamFile::Start start)
{
    for (const BodyMesh& mesh : meshes) {
        SpooledBody& body = bodies_.emplace_back();
        const std::string file = fmt::format("{}.{}.spool", path_, mesh.name);
        if (start == StreamFile::Start::as_it_is && kind_of_path(file) != PathKind::file)
            throw FileError(
                fmt::format("'{}' of the run to resume is missing; run without --resume to start again", file));
        body.name = mesh.name;
        body.layer = *mesh.layer;
        body.layer.points.clear();
        body.points = mesh.points.size();
        body.file = std::make_unique<StreamFile>(file, start);
    }
}

void SpooledWriter::write(const Frame& frame)
{
    const std::span<const BodyMesh> meshes = meshes_.update(frame);
    if (times_.empty()) open(meshes, StreamFile::Start::empty);
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        const auto* bytes = reinterpret_cast<const char*>(meshes[i].points.data());
        bodies_[i].file->append({bytes, sizeof(Float3) * meshes[i].points.size()});
    }
    times_.push_back(frame.time);
}

void SpooledWriter::finish()
{
    if (times_.empty()) return;
    write_all();
    if (kept_) return;
    for (SpooledBody& body : bodies_) remove_path(body.file->path());
}

std::string SpooledWriter::state() const
{
    kept_ = true;
    return write_sealed(SpoolState{times_});
}

void SpooledWriter::resume(const Frame& latest, std::string_view state)
{
    open(meshes_.update(latest), StreamFile::Start::as_it_is);
    times_ = read_sealed<SpoolState>(state, path_).times;
    kept_ = true;
    for (const SpooledBody& body : bodies_)
        body.file->shrink(static_cast<std::int64_t>(sizeof(Float3) * body.points) * frames());
}

}  // namespace pliant
