// Executes the requests of the clients in the process of the tests (../README.md).

import dgram from 'node:dgram';
import net from 'node:net';
import { pathToFileURL } from 'node:url';

const directory = process.env.DOLMEN_IN_PROCESS; // the packages; empty: tests over HTTP

// The database of the tests. Undefined: tests over HTTP.
export const database = directory ? await open() : undefined;

async function open() {
  forbidSockets();
  const { Database } = await import(pathToFileURL(`${directory}/javascript/src/index.js`));
  return new Database();
}

function forbidSockets() {
  const refuse = () => {
    throw new Error('a test in process has opened a socket');
  };
  net.Socket.prototype.connect = refuse; // also of fetch, http and tls
  net.Server.prototype.listen = refuse;
  dgram.Socket.prototype.bind = refuse;
  dgram.Socket.prototype.send = refuse;
}
