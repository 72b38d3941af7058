// dynamodb-admin as a process of its own, and Debian's Chromium to look at it.

import { execFileSync, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import puppeteer from 'puppeteer-core';
import { endpoint } from '../support/peer.mjs';

// {url, stop()}, once it listens.
export async function startAdmin() {
  const backend = createRequire(import.meta.url).resolve('dynamodb-admin');
  const program = path.join(path.dirname(backend), 'dynamodb-admin.js');
  const child = spawn(
    process.execPath,
    [program, '--host', '127.0.0.1', '--port', '0', '--dynamo-endpoint', endpoint],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    const found = line.match(/listening on (http:\S+)/);
    if (found) return { url: found[1], stop: () => child.kill() };
  }
  throw new Error('dynamodb-admin ended');
}

export function startBrowser() {
  const executablePath = execFileSync('sh', ['-c', 'command -v chromium']).toString().trim();
  return puppeteer.launch({
    executablePath,
    args: [
      '--no-sandbox', // it does not start as root with one
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
    defaultViewport: { width: 1100, height: 720 },
  });
}
