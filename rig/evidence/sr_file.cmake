# SPDX-License-Identifier: GPL-3.0-or-later
# Logic captures as sigrok sessions (.sr): a library of its own, so that `rig decode` needs nothing else of the bundle.

add_library(rig_sr
  ${CMAKE_CURRENT_LIST_DIR}/sr_file.cpp
  ${CMAKE_CURRENT_LIST_DIR}/sr_file_traces.cpp
  ${CMAKE_CURRENT_LIST_DIR}/sr_file_writer.cpp)
target_link_libraries(rig_sr PUBLIC rig_base rig_wire PRIVATE PkgConfig::LIBZIP fmt::fmt)

rig_add_test(NAME rig_sr_file_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/sr_file_test.cpp
  LIBS rig_sr PkgConfig::LIBZIP fmt::fmt)
rig_add_test(NAME rig_sr_file_sigrok_test LABEL e2e SOURCES ${CMAKE_CURRENT_LIST_DIR}/sr_file_sigrok_test.cpp
  LIBS rig_sr fmt::fmt)
