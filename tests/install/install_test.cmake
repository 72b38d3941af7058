# Starts from an empty folder each time. A stale copy would hide a header that is no longer
# installed.
file(REMOVE_RECURSE ${WORK})

function(step)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

step(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${WORK}/prefix)
step(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -G ${GENERATOR}
     -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_BUILD_TYPE=${CONFIG}
     -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_CXX_FLAGS=${FLAGS})
step(${CMAKE_COMMAND} --build ${WORK}/build --config ${CONFIG})
step(${WORK}/build/app)
step(${WORK}/build/wire)
