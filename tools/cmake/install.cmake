# Rules of `cmake --install`; not within another project. Paths are relative to the repository.
install(TARGETS cutune_program EXPORT cutuneTargets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET cutune_mpi)
  install(TARGETS cutune_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT mpi)
endif()
install(TARGETS cutune EXPORT cutuneTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES tuner/cutune.h ${PROJECT_BINARY_DIR}/generated/include/cutune_cuda.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

if(SKBUILD) # into the package itself
  install(TARGETS cutune_launch LIBRARY DESTINATION .)
endif()

# find_package(cutune) and pkg-config. Both find the rest relative to themselves: the installed tree may be moved.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/cutune)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/cutuneConfig.cmake.in generated/cutuneConfig.cmake
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(generated/cutuneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT cutuneTargets NAMESPACE cutune:: DESTINATION ${package_folder})
install(FILES ${PROJECT_BINARY_DIR}/generated/cutuneConfig.cmake ${PROJECT_BINARY_DIR}/generated/cutuneConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/cutuneFunctions.cmake
  DESTINATION ${package_folder})
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_CURRENT_LIST_DIR}/cutune.pc.in generated/cutune.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/generated/cutune.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY templates/ DESTINATION ${CMAKE_INSTALL_DATADIR}/${PROJECT_NAME}/templates
  FILES_MATCHING PATTERN "*.cu" PATTERN "*.space")
install(FILES db/recorded.csv DESTINATION ${CMAKE_INSTALL_DATADIR}/${PROJECT_NAME})
install(DIRECTORY db/recorded/ DESTINATION ${CMAKE_INSTALL_DATADIR}/${PROJECT_NAME}/recorded
  FILES_MATCHING PATTERN "*.csv")
install(DIRECTORY tools/scripts/ DESTINATION ${CMAKE_INSTALL_DATADIR}/${PROJECT_NAME}/scripts
  FILES_MATCHING PATTERN "*.py")
install(DIRECTORY space/devices/ DESTINATION ${CMAKE_INSTALL_DATADIR}/${PROJECT_NAME}/devices
  FILES_MATCHING PATTERN "*.csv" PATTERN "README.md")
install(FILES tools/schema/cutune.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/${PROJECT_NAME})
# Files of editors besides those that the program writes.
install(DIRECTORY tools/editors/vim/ DESTINATION ${CMAKE_INSTALL_DATADIR}/vim/vimfiles FILES_MATCHING PATTERN "*.vim")
configure_file(tools/editors/vscode/package.json.in generated/vscode/package.json @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/generated/vscode/package.json tools/editors/vscode/language-configuration.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/${PROJECT_NAME}/vscode)
# Folders with the licences of libraries that are built in: tools/wheel names them.
foreach(folder IN LISTS CUTUNE_BUILT_IN)
  cmake_path(GET folder FILENAME name)
  install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/${PROJECT_NAME}/licences/${name}
    FILES_MATCHING PATTERN "COPYING*" PATTERN "LICENSE*" PATTERN "licence-*runtime*" PATTERN "include" EXCLUDE PATTERN "lib*" EXCLUDE
    PATTERN "nvvm" EXCLUDE PATTERN "bin" EXCLUDE)
endforeach()
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

# ---- Packages: cmake --build build/release --target package ---------------------------------------------------------------

set(CPACK_GENERATOR TGZ)
# Without the component mpi: the packages would depend on one MPI, and a cluster has its own.
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};${PROJECT_NAME};Unspecified;/")
set(CPACK_PACKAGE_CONTACT "The cutune authors")
set(CPACK_STRIP_FILES ON)
find_program(CUTUNE_DPKG_SHLIBDEPS dpkg-shlibdeps) # of Debian's dpkg-dev: finds the packages of the libraries
if(CUTUNE_DPKG_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Tuning needs a driver, NVRTC and the headers that kernels include, from NVIDIA's repository; the rest of cutune does
# not.
set(cuda ${CUDAToolkit_VERSION_MAJOR}-${CUDAToolkit_VERSION_MINOR})
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "cuda-nvrtc-${cuda}, cuda-cudart-dev-${cuda}, cuda-cccl-${cuda}")
# cutune import of T1; counters and machine code for explanations
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, cuda-cupti-${cuda}, cuda-nvdisasm-${cuda}")
include(CPack)
