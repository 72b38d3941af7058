# Configures, builds and runs the project `programs` outside the tree of Dolmen. WORK is the folder
# for the builds, OPTIONS are options of cmake. If INSTALL is set, first installs the build INSTALL.
#
# Deletes the folder WORK first, because an old copy of a header there would hide that Dolmen no
# longer installs the header.
file(REMOVE_RECURSE ${WORK})

function(step)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(INSTALL)
  step(${CMAKE_COMMAND} --install ${INSTALL} --prefix ${WORK}/prefix)
endif()
string(TIMESTAMP begin %s)
step(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/programs -B ${WORK}/build -G ${GENERATOR}
     -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_CXX_COMPILER=${CXX} ${OPTIONS})
step(${CMAKE_COMMAND} --build ${WORK}/build --parallel 2)
string(TIMESTAMP end %s)
math(EXPR seconds "${end} - ${begin}")
message("Configured and built in ${seconds} s")
step(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/build --output-on-failure --no-tests=error)

# Configures the project once more, as on a machine without libcurl.
if(INSTALL)
  file(WRITE ${WORK}/pkg-config "#!/bin/sh\ncase \"$*\" in *libcurl*) exit 1 ;; esac\nexec pkg-config \"$@\"\n")
  file(CHMOD ${WORK}/pkg-config PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  step(${CMAKE_COMMAND} -U *libcurl* -D PKG_CONFIG_EXECUTABLE=${WORK}/pkg-config -D WITHOUT_REMOTE=ON ${WORK}/build)
endif()
