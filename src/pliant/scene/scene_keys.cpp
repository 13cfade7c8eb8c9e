#include "pliant/scene/scene_keys.h"

#include "pliant/json/nearest_name.h"

#include <fmt/format.h>

namespace pliant {

namespace {

class KeyResolver {
  public:
    KeyResolver(const SceneSource& source, Problems& problems, SceneFile& file)
        : source_(source), problems_(problems), motions_(file.motions), dt_(static_cast<double>(file.settings.dt))
    {}

    template <TimedKey Key>
    void operator()(Key& key, const std::string& path) const
    {
        if (!key.frame) return;
        if (source_.says(path + "/time")) return report(path + "/frame", "give the time or the frame, not both");
        key.time = *key.frame * dt_;
        key.frame.reset();
    }

    /// What is given beside `use` takes the place of what the named motion has.
    void operator()(Motion& motion, const std::string& path) const
    {
        if (motion.use.empty()) return;
        const MotionEntry* named = find(motion.use);
        if (named == nullptr)
            return report(path + "/use",
                          fmt::format("there is no motion \"{}\"{}", motion.use, suggest_name(motion.use, names())));
        for_each_field<Motion>([&](const auto& field) {
            if (!source_.says(path + "/" + field.name)) motion.*field.member = named->*field.member;
        });
        motion.use.clear();
    }

    void check_names() const
    {
        for (std::size_t i = 0; i < motions_.size(); ++i) {
            const std::string path = fmt::format("motions/{}", i);
            if (motions_[i].name.empty()) report(path, "needs a name");
            else if (find(motions_[i].name) != &motions_[i])
                report(path + "/name", fmt::format("\"{}\" is the name of a motion already", motions_[i].name));
            if (!motions_[i].use.empty()) report(path + "/use", "a named motion cannot use another one; give its keys");
        }
    }

  private:
    const MotionEntry* find(const std::string& name) const
    {
        for (const MotionEntry& motion : motions_)
            if (motion.name == name) return &motion;
        return nullptr;
    }
    std::vector<std::string> names() const
    {
        std::vector<std::string> list;
        for (const MotionEntry& motion : motions_) list.push_back(motion.name);
        return list;
    }
    void report(const std::string& path, const std::string& problem) const
    {
        problems_.add(place_of(source_.text, path) + problem);
    }

    const SceneSource& source_;
    Problems& problems_;
    const std::vector<MotionEntry>& motions_;
    double dt_;
};

}  // namespace

void resolve_keys(const SceneSource& source, Problems& problems, SceneFile& file)
{
    const KeyResolver resolver(source, problems, file);
    resolver.check_names();
    if (!problems.none()) return;
    KeysInside<std::vector<MotionEntry>>::visit(file.motions, "motions", resolver);  // before they are used
    KeysInside<SceneFile>::visit(file, "", resolver);
}

}  // namespace pliant
