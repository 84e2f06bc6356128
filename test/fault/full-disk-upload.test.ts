import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { openServing } from '../support/browser/serving.ts';
import { noSmallDisk, smallDisk } from '../support/faults/small-disk.ts';

describe.skipIf(noSmallDisk)('a disk that fills up during an upload', () => {
  test('is reported to the page while it still sends, keeps nothing of the file, and accepts the next upload', async () => {
    const { root, resize } = smallDisk();
    resize('size=16m');
    const serving = await openServing({ dataDir: root });
    const headers = {
      Host: serving.hostHeader,
      Origin: `http://${serving.hostHeader}`,
      cookie: await serving.signIn(),
    };
    // Without a length the server cannot know in advance that the disk is too small.
    const upload = request({
      host: '127.0.0.1',
      port: serving.host.port,
      method: 'POST',
      path: '/upload?name=a.tar.gz',
      headers: { ...headers, 'Transfer-Encoding': 'chunked' },
    });
    upload.on('error', () => undefined);
    const reply = new Promise<{ status: number; document: unknown }>((resolve, reject) => {
      upload.on('response', (response) => {
        json(response).then((document) => {
          resolve({ status: response.statusCode ?? 0, document });
        }, reject);
      });
    });
    const state = { isSending: true };
    void reply.finally(() => (state.isSending = false));
    const piece = Buffer.alloc(1_000_000);
    for (let at = 0; at < 100 && state.isSending; at++) {
      if (!upload.write(piece))
        await Promise.race([new Promise((resolve) => upload.once('drain', resolve)), reply]);
    }
    expect(await reply).toMatchObject({
      status: 507,
      document: { error: { code: 'disk-full', retry: 'later' } },
    });
    // A client that continues to send is disconnected.
    await expect.poll(() => upload.socket?.destroyed, { timeout: 20_000 }).toBe(true);
    const folder = join(root, 'uploads');
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
    const next = await serving.send('/upload?name=b', { method: 'POST', headers, body: 'x' });
    expect(next.status).toBe(200);
  });
});
