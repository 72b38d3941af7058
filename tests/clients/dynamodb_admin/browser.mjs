// Starts dynamodb-admin as a process, and Debian's Chromium to test it.

import { execFileSync, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import puppeteer from 'puppeteer-core';
import { endpoint } from '../support/peer.mjs';

// Starts dynamodb-admin, waits until it listens, and returns {url, stop()}.
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
      '--no-sandbox', // Chromium does not start as root with a sandbox
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
    defaultViewport: { width: 1100, height: 720 },
  });
}
