# Installs a finished build into WORK_DIR/prefix, moves it, and builds and runs the project beside this
# file against it. The move shows that the installed files do not depend on where they were put.
#
#   cmake -D BUILD_DIR=... -D WORK_DIR=... -D SOURCE_ROOT=... -D CXX=... -D GENERATOR=... -D REAL=... -P run.cmake
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=DESTDIR -- ${ARGN} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "failed (${result}): ${command}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/first)
set(prefix ${WORK_DIR}/moved)
file(RENAME ${WORK_DIR}/first ${prefix})

foreach(expected bin/pliant include/pliant/pliant.h include/pliant/math/types.h share/pliant/scenes share/pliant/scene.schema.json)
  if(NOT EXISTS ${prefix}/${expected})
    message(FATAL_ERROR "not installed: ${expected}")
  endif()
endforeach()

# An editor that opens an installed scene finds the schema that it names.
file(READ ${prefix}/share/pliant/scenes/bunny_drop.json scene)
string(REGEX MATCH "\"[$]schema\": \"([^\"]+)\"" found "${scene}")
if(NOT found OR NOT EXISTS ${prefix}/share/pliant/scenes/${CMAKE_MATCH_1})
  message(FATAL_ERROR "the installed scenes name a schema that is not there: ${CMAKE_MATCH_1}")
endif()

file(GLOB_RECURSE package_files ${prefix}/*.cmake)
foreach(file IN LISTS package_files)
  file(READ ${file} text)
  foreach(private ${SOURCE_ROOT} nlohmann pliant_flags)
    string(FIND "${text}" "${private}" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${file} mentions ${private}, which users do not have")
    endif()
  endforeach()
endforeach()

# No public header may show what depends on the processor that a file is compiled for.
execute_process(COMMAND ${CXX} -std=c++20 -I${prefix}/include -M ${CMAKE_CURRENT_LIST_DIR}/main.cpp -DEXPECTED_REAL=${REAL}
  OUTPUT_VARIABLE included)
string(FIND "${included}" "lanes.h" at)
if(NOT at EQUAL -1)
  message(FATAL_ERROR "pliant/pliant.h includes SIMD lanes")
endif()

# With CMake, and by hand with plain flags: no -march, no optimisation, no run-time type information.
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK_DIR}/build
  -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_BUILD_TYPE=Release -D CMAKE_PREFIX_PATH=${prefix} -D EXPECTED_REAL=${REAL}
  -D CMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/uses_pliant)

set(plain ${CXX} -std=c++20 -I${prefix}/include -DEXPECTED_REAL=${REAL})
if(REAL STREQUAL double)
  list(APPEND plain -DPLIANT_DOUBLE)
  set(wrong -UPLIANT_DOUBLE -DEXPECTED_REAL=float)
else()
  set(wrong -DPLIANT_DOUBLE -DEXPECTED_REAL=double)
endif()
file(GLOB_RECURSE core ${prefix}/libpliant_core.a)
foreach(flags "-O0" "-O2;-fno-rtti" "-O2;-march=native")
  run(${plain} ${flags} ${CMAKE_CURRENT_LIST_DIR}/main.cpp ${core} -pthread -o ${WORK_DIR}/plain)
  run(${WORK_DIR}/plain)
  run(${plain} ${flags} ${SOURCE_ROOT}/examples/bunny.cpp ${core} -pthread -o ${WORK_DIR}/bunny)
endforeach()
run(${WORK_DIR}/bunny)

# Another precision than the library's does not link, and the message says why.
list(REMOVE_ITEM plain -DEXPECTED_REAL=${REAL} -DPLIANT_DOUBLE)
execute_process(COMMAND ${plain} ${wrong} ${CMAKE_CURRENT_LIST_DIR}/main.cpp ${core} -pthread -o ${WORK_DIR}/wrong
  RESULT_VARIABLE result ERROR_VARIABLE text)
string(FIND "${text}" "this_program_was_compiled_for_pliant" at)
if(result EQUAL 0 OR at EQUAL -1)
  message(FATAL_ERROR "a program of another precision links, or nobody says why it does not: ${text}")
endif()
