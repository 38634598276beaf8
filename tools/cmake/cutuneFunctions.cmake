# Functions for projects that use cutune, by find_package, add_subdirectory or FetchContent:
#
#     cutune_tuned_header(TARGET app KERNEL transpose DATABASE cutune.csv
#       [SPACE transpose.space] [PREFIX name] [OUTPUT name.h] [DEVICE name...] [DEFINE size=value...] [JOURNAL file...]
#       [STALE] [PLAIN_MACROS])
#
# Writes the kernel's header (name: KERNEL_tuned.h, or OUTPUT) where TARGET finds it, again whenever the database or a
# journal changes. A header that would not change stays untouched, so that nothing is recompiled. The other arguments are
# the options of `cutune emit`. With SPACE, the database need not exist: the header has the space's default configuration.
#
#     cutune_tune(NAME retune SPACE transpose.space [DATABASE cutune.csv] [DEFINE size=value...] [OPTIONS --max-time=60 ...])
#
# Adds the target NAME, which tunes on the GPU in the machine. No other target depends on it: it runs only on request,
# `cmake --build . --target retune`. The journals are kept beside the database.
#
# Relative paths are relative to the current source directory.
function(_cutune_arguments FUNCTION PREFIX REQUIRED)
  foreach(name IN LISTS REQUIRED)
    if(NOT DEFINED ${PREFIX}_${name})
      message(FATAL_ERROR "${FUNCTION}: ${name} is missing")
    endif()
  endforeach()
  if(${PREFIX}_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${FUNCTION}: unknown arguments: ${${PREFIX}_UNPARSED_ARGUMENTS}")
  endif()
  if(${PREFIX}_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${FUNCTION}: without a value: ${${PREFIX}_KEYWORDS_MISSING_VALUES}")
  endif()
endfunction()

function(cutune_tuned_header)
  cmake_parse_arguments(PARSE_ARGV 0 header "STALE;PLAIN_MACROS" "TARGET;KERNEL;DATABASE;PREFIX;OUTPUT;SPACE" "DEVICE;DEFINE;JOURNAL")
  _cutune_arguments(cutune_tuned_header header "TARGET;KERNEL;DATABASE")
  if(NOT TARGET ${header_TARGET})
    message(FATAL_ERROR "cutune_tuned_header: there is no target ${header_TARGET}")
  endif()
  if(NOT DEFINED header_OUTPUT)
    set(header_OUTPUT ${header_KERNEL}_tuned.h)
  endif()
  # A separate folder, because targets may have different headers of the same name.
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/cutune/${header_TARGET}")
  set(output "${folder}/${header_OUTPUT}")
  get_filename_component(database "${header_DATABASE}" ABSOLUTE)
  set(options --kernel=${header_KERNEL} "--db=${database}" "--output=${output}")
  if(DEFINED header_SPACE) # until the database exists, the space's default is written
    file(GLOB depends CONFIGURE_DEPENDS "${database}")
  else()
    set(depends "${database}")
  endif()
  if(DEFINED header_PREFIX)
    list(APPEND options --prefix=${header_PREFIX})
  endif()
  if(DEFINED header_SPACE)
    get_filename_component(space "${header_SPACE}" ABSOLUTE)
    list(APPEND options "--space=${space}")
    list(APPEND depends "${space}")
  endif()
  foreach(device IN LISTS header_DEVICE)
    list(APPEND options "--device=${device}")
  endforeach()
  foreach(define IN LISTS header_DEFINE)
    list(APPEND options "--define=${define}")
  endforeach()
  foreach(journal IN LISTS header_JOURNAL)
    get_filename_component(journal "${journal}" ABSOLUTE)
    list(APPEND options "--journal=${journal}")
    if(IS_DIRECTORY "${journal}")
      file(GLOB files CONFIGURE_DEPENDS "${journal}/*.csv")
      list(APPEND depends ${files})
    else()
      list(APPEND depends "${journal}")
    endif()
  endforeach()
  if(header_STALE)
    list(APPEND options --stale)
  endif()
  if(header_PLAIN_MACROS)
    list(APPEND options --plain-macros)
  endif()
  file(MAKE_DIRECTORY "${folder}")
  # The stamp dates the last check, the header's own date its last change.
  add_custom_command(OUTPUT "${output}.stamp" BYPRODUCTS "${output}"
    COMMAND cutune::program emit ${options}
    COMMAND ${CMAKE_COMMAND} -E touch "${output}.stamp"
    DEPENDS ${depends} $<TARGET_FILE:cutune::program>
    COMMENT "Tuned header ${header_OUTPUT} of ${header_TARGET}" VERBATIM)
  set_source_files_properties("${output}.stamp" PROPERTIES HEADER_FILE_ONLY TRUE)
  target_sources(${header_TARGET} PRIVATE "${output}.stamp")
  target_include_directories(${header_TARGET} PRIVATE "${folder}")
endfunction()

function(cutune_tune)
  cmake_parse_arguments(PARSE_ARGV 0 tune "" "NAME;SPACE;DATABASE" "DEFINE;OPTIONS")
  _cutune_arguments(cutune_tune tune "NAME;SPACE")
  if(NOT DEFINED tune_DATABASE)
    set(tune_DATABASE cutune.csv)
  endif()
  get_filename_component(database "${tune_DATABASE}" ABSOLUTE)
  get_filename_component(folder "${database}" DIRECTORY)
  get_filename_component(space "${tune_SPACE}" ABSOLUTE)
  set(options "--space=${space}" "--db=${database}" "--journal=${folder}/cutune.d")
  foreach(define IN LISTS tune_DEFINE)
    list(APPEND options "--define=${define}")
  endforeach()
  add_custom_target(${tune_NAME} COMMAND cutune::program ${options} ${tune_OPTIONS}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" COMMENT "Tuning ${tune_SPACE}" USES_TERMINAL VERBATIM)
endfunction()
