#include "pliant/json/fields_json.h"
#include "pliant/scene/scene.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Schema, FileIsCurrent)
{
    EXPECT_EQ(read_text_file(PLIANT_SOURCE_DIR "/docs/scene.schema.json"), scene_schema())
        << "remake it: pliant schema > docs/scene.schema.json";
}

TEST(Schema, KnowsEveryKeyOfTheScenes)
{
    // The one rule of an editor that matters most: no key of ours is marked as unknown.
    const Json schema = Json::parse(scene_schema());
    const auto check = [](const auto& self, const Json& value, const Json& rules, const std::string& path) -> void {
        if (value.is_object()) {
            for (const auto& member : value.items()) {
                ASSERT_TRUE(rules.contains("properties") && rules["properties"].contains(member.key()))
                    << path << "/" << member.key();
                self(self, member.value(), rules["properties"][member.key()], path + "/" + member.key());
            }
        } else if (value.is_array()) {
            for (const Json& item : value) self(self, item, rules["items"], path);
        }
    };
    for (const BuiltinScene& scene : builtin_scenes())
        check(check, parse_json(scene.text, scene.name).root, schema, scene.name);
}

}  // namespace
}  // namespace pliant
