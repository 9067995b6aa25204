# SPDX-License-Identifier: GPL-3.0-or-later
# What every target of the project is built with, and how a test is added.

add_library(rig_build_flags INTERFACE)
target_compile_features(rig_build_flags INTERFACE cxx_std_23)
# -ffp-contract=off: a replay gives the same bytes on every build, so no compiler may fuse a multiply and an add.
target_compile_options(rig_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -Werror
  -ffp-contract=off -fno-omit-frame-pointer)
# GCC 12 sees dangling strings and uninitialised members inside coroutine frames that are neither (GCC PR 105562, 105329).
target_compile_options(rig_build_flags INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-maybe-uninitialized>)
target_compile_definitions(rig_build_flags INTERFACE
  BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_HAS_CO_AWAIT $<$<BOOL:${RIG_SANITIZE}>:RIG_SANITIZED>)
if(RIG_SANITIZE)
  # GCC 12 takes the allocation of a coroutine frame for a mismatched one when the sanitizers are on.
  target_compile_options(rig_build_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
    -Wno-mismatched-new-delete)
  target_link_options(rig_build_flags INTERFACE -fsanitize=address,undefined)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# rig_add_test(NAME unit_of_x SOURCES x_test.cpp … LIBS rig … [LABEL unit|e2e] [DATA dir])
# One executable; each TEST becomes a ctest test. Sources name their own inputs through RIG_SOURCE_DIR.
function(rig_add_test)
  cmake_parse_arguments(arg "" "NAME;LABEL" "SOURCES;LIBS" ${ARGN})
  if(NOT RIG_TESTS)
    return()
  endif()
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
  endif()
  add_executable(${arg_NAME} ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PRIVATE rig_build_flags ${arg_LIBS} GTest::gtest_main)
  target_compile_definitions(${arg_NAME} PRIVATE RIG_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  # The virtual station wants the machine for itself.
  set(properties LABELS ${arg_LABEL} TIMEOUT 120)
  if(arg_LABEL STREQUAL "e2e")
    list(APPEND properties RUN_SERIAL TRUE)
  endif()
  gtest_discover_tests(${arg_NAME} NO_PRETTY_VALUES PROPERTIES ${properties} DISCOVERY_TIMEOUT 60)
endfunction()
