// A server that runs dynalite and survives its exceptions. A request that makes dynalite throw is
// answered with "PeerFailure". The client sends one request at a time, so an exception belongs to
// the current request. Usage: node dynalite_server.js <module directory> <port>
'use strict'

const [, , modules, port] = process.argv
const server = require(modules)({createTableMs: 0, deleteTableMs: 0, updateTableMs: 0})
let response = null

server.prependListener('request', (_request, next) => {
  response = next
})

process.on('uncaughtException', (error) => {
  console.error(error.stack)
  if (response === null || response.writableEnded) return
  response.statusCode = 500
  response.end(JSON.stringify({__type: 'PeerFailure', message: String(error.message)}))
})

server.listen(Number(port), '127.0.0.1')
