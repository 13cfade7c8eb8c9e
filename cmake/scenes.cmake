# Puts the files of scenes/ into the program, so that built-in scenes work wherever it is installed. As a script
# (cmake -P) it writes the source; included, it adds that source to the library and remakes it when a scene changes.

if(CMAKE_SCRIPT_MODE_FILE)
  set(source "// Made from scenes/*.json by cmake/scenes.cmake.\n#include \"pliant/scene/scene_parts.h\"\n\nnamespace pliant {\n\n")
  string(APPEND source "std::span<const EmbeddedScene> embedded_scenes()\n{\n    static constexpr EmbeddedScene kScenes[] = {\n")
  file(GLOB files ${SCENES}/*.json)
  list(SORT files)
  foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME_WE)
    file(READ "${file}" text)
    string(APPEND source "        {\"${name}\", R\"scene(${text})scene\"},\n")
  endforeach()
  string(APPEND source "    };\n    return kScenes;\n}\n\n}  // namespace pliant\n")
  file(WRITE "${OUT}" "${source}")
  return()
endif()

file(GLOB scene_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenes/*.json)
set(embedded_scenes ${PROJECT_BINARY_DIR}/embedded_scenes.cpp)
add_custom_command(
  OUTPUT ${embedded_scenes}
  COMMAND ${CMAKE_COMMAND} -DSCENES=${PROJECT_SOURCE_DIR}/scenes -DOUT=${embedded_scenes} -P ${CMAKE_CURRENT_LIST_DIR}/scenes.cmake
  DEPENDS ${scene_files} ${CMAKE_CURRENT_LIST_DIR}/scenes.cmake
  COMMENT "Embedding the scenes" VERBATIM)
target_sources(pliant_scene PRIVATE ${embedded_scenes})
