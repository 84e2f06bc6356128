/**
 * @file Runs nginx, if it is installed, as the server of a transfer. Written in C, it costs the machine less than the
 * measured client.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { benchFolder } from './measuring.ts';

export const hasNginx = spawnSync('nginx', ['-v']).status === 0;

/** @param locations Location blocks for a server on a free port of this machine; `$self` is replaced by its address. */
export async function withNginx<T>(locations: string, measure: (url: string) => T): Promise<T> {
  const url = await freeAddress();
  const configuration = join(benchFolder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(benchFolder, `nginx-${name}`), { recursive: true });
    return `${name}_temp_path ${benchFolder}/nginx-${name};`;
  });
  writeFileSync(
    configuration,
    // The worker would otherwise drop root, and lose access to the bench folder.
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${benchFolder}/nginx.pid;
    error_log stderr crit;
    events {}
    http { ${temporary.join(' ')} access_log off; sendfile on; default_type application/octet-stream;
      server { listen ${new URL(url).host}; ${locations.replaceAll('$self', url)} } }`,
  );
  const server = spawn('nginx', ['-e', 'stderr', '-c', configuration], { stdio: 'inherit' });
  const closed = once(server, 'close');
  try {
    for (let answers = false; !answers && server.exitCode === null;) {
      answers = spawnSync('curl', ['-sI', url]).status === 0;
      await new Promise(setImmediate);
    }
    return measure(url);
  } finally {
    server.kill();
    await closed;
  }
}

async function freeAddress(): Promise<string> {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  return `http://127.0.0.1:${port}`;
}
