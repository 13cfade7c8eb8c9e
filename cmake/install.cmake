# What `cmake --install` puts where, and how other CMake projects find it:
#
#   find_package(pliant REQUIRED)
#   target_link_libraries(my_program PRIVATE pliant::pliant)
option(PLIANT_INSTALL "Generate the install rules" ${PROJECT_IS_TOP_LEVEL})
if(NOT PLIANT_INSTALL)
  return()
endif()

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
set(scenes_dir ${CMAKE_INSTALL_DATADIR}/pliant/scenes)

install(TARGETS pliant pliant_core pliant_scene EXPORT pliantTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY src/pliant/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pliant FILES_MATCHING PATTERN "*.h")
install(FILES docs/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant)
install(DIRECTORY scenes/ DESTINATION ${scenes_dir})
# The scenes name their schema, for editors. Once installed it lies one folder up.
install(CODE "
  file(GLOB scenes \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${scenes_dir}/*.json\")
  foreach(scene IN LISTS scenes)
    file(READ \"\${scene}\" text)
    string(REPLACE \"../docs/scene.schema.json\" \"../scene.schema.json\" text \"\${text}\")
    file(WRITE \"\${scene}\" \"\${text}\")
  endforeach()")
# The page and the player of recorded pages, if they were built (`make page`).
install(DIRECTORY web/page/dist/ DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant/web OPTIONAL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The command line: the one program that apps/pliant builds, whatever its target is called.
get_directory_property(app_targets DIRECTORY apps/pliant BUILDSYSTEM_TARGETS)
foreach(target IN LISTS app_targets)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()

install(EXPORT pliantTargets NAMESPACE pliant:: DESTINATION ${package_dir})
configure_package_config_file(cmake/pliantConfig.cmake.in ${PROJECT_BINARY_DIR}/package/pliantConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS scenes_dir)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/pliantConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/pliantConfig.cmake ${PROJECT_BINARY_DIR}/package/pliantConfigVersion.cmake
  DESTINATION ${package_dir})
