import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { at, Conformance, type Row, type Account } from '../../support/conformance.ts';
import { SandboxCalls } from '../../support/servers/sandbox-calls.ts';

const harness = Conformance.ofFile({ maxAttachmentSize: 2000 });

const compass = at('atlas/compass');
const almanac = at('atlas/almanac');

const upload = (who: Account, path: string, name: string, text = 'hello') => {
  const form = new FormData();
  form.set('file', new File([text], name));
  return harness.post(who, `${path}/uploads`, form);
};

const uploaded = async (path: string, name: string, text?: string) =>
  (await upload('maintainer', path, name, text)).body as { id: number; url: string; alt: string };

describe('upload-file', () => {
  test('upload-file returns 201 with id, alt, url, full_path and Markdown', async () => {
    const { id: projectId } = await harness.row('guest', compass);
    const { status, body } = await upload('guest', compass, 'notes of today.txt');
    const { url } = body as { url: string };

    expect(status).toBe(201);
    expect(url).toMatch(/^\/uploads\/[0-9a-f]{32}\/notes_of_today\.txt$/);
    expect(body).toEqual({
      id: expect.any(Number) as number,
      alt: 'notes_of_today.txt',
      url,
      full_path: `/-/project/${String(projectId)}${url}`,
      markdown: `[notes_of_today.txt](${url})`,
    });
  });

  test('upload-file returns Markdown that shows the image for an image file', async () => {
    const { url, ...rest } = await uploaded(compass, 'chart.png');

    expect(rest).toMatchObject({ alt: 'chart', markdown: `![chart](${url})` });
  });

  test('upload-file returns 400 unless the parameter file is a file', async () => {
    expect(await harness.post('maintainer', `${compass}/uploads`, new FormData())).toMatchObject({
      status: 400,
      body: { error: 'file is missing' },
    });
    const form = new FormData();
    form.set('file', 'text');
    expect(await harness.post('maintainer', `${compass}/uploads`, form)).toMatchObject({
      status: 400,
      body: { error: 'file is invalid' },
    });
  });

  test('upload-file returns 413 as plain text above the attachment size limit', async () => {
    const { status, body, headers } = await upload('maintainer', compass, 'large.bin', 'x'.repeat(2001));

    expect(status).toBe(413);
    expect(body).toBe('Request Entity Too Large');
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    expect((await upload('maintainer', compass, 'fits.bin', 'x'.repeat(2000))).status).toBe(201);
  });

  test('upload-file returns 401 without a token, 403 with a read-only one, and 404 for an unseen project', async () => {
    expect((await upload('anonymous', at('atlas/museum'), 'a.txt')).status).toBe(401);
    expect((await upload('outsider', compass, 'a.txt')).status).toBe(404);
    expect((await upload('readOnly', compass, 'a.txt')).status).toBe(403);
  });
});

describe('list-uploads', () => {
  test('list-uploads returns the newest upload first, with size and uploader; an unknown uploader is null', async () => {
    await uploaded(almanac, 'one.txt', 'x');
    await uploaded(almanac, 'two.txt', 'xyz');
    const rows = await harness.rows('maintainer', `${almanac}/uploads`);

    expect(rows.map((row) => row['filename']).slice(0, 2)).toEqual(['two.txt', 'one.txt']);
    expect(rows).toHaveLength(7);
    expect(rows[0]).toEqual({
      id: expect.any(Number) as number,
      size: 3,
      filename: 'two.txt',
      created_at: expect.stringMatching(/Z$/) as string,
      uploaded_by: {
        id: await harness.userId('maintainer'),
        username: 'maintainer',
        name: 'Mara Maintainer',
        public_email: 'maintainer@sandbox.example',
      },
    });
    expect(rows[6]).toMatchObject({ uploaded_by: null });
  });

  test('list-uploads is paginated', async () => {
    const { headers, body } = await harness.send('maintainer', `${almanac}/uploads?per_page=2&page=2`);

    expect(body as Row[]).toHaveLength(2);
    expect(headers.get('x-total')).toBe('7');
  });

  test('list-uploads returns 403 below Maintainer', async () => {
    expect((await harness.send('developer', `${almanac}/uploads`)).status).toBe(403);
  });
});

describe('download-upload', () => {
  test('download-upload by ID returns the file itself, to maintainers only', async () => {
    const { id } = await uploaded(compass, 'read me.txt', 'content');
    const path = `${compass}/uploads/${id}`;
    const { body, headers } = await harness.send('maintainer', path);

    expect(body).toBe('content');
    expect(headers.get('content-disposition')).toContain('filename="read_me.txt"');
    expect(headers.get('content-length')).toBe('7');
    expect((await harness.send('developer', path)).status).toBe(403);
  });

  test('download-upload by secret and name returns the file to members from Guest on', async () => {
    const { url } = await uploaded(compass, 'plan.txt', 'content');

    expect(await harness.send('guest', `${compass}${url}`)).toMatchObject({ status: 200, body: 'content' });
    expect((await harness.send('outsider', `${compass}${url}`)).status).toBe(404);
    expect((await harness.send('guest', `${compass}${url.replace('plan', 'plane')}`)).status).toBe(404);
  });

  test('download-upload returns a seeded file, whose bytes a later export contains', async () => {
    const rows = await harness.rows('maintainer', `${almanac}/uploads`);
    const seeded = rows.find((row) => row['filename'] === 'note-1.txt');
    const { body } = await harness.send('maintainer', `${almanac}/uploads/${String(seeded?.['id'])}`);
    const archive = await new SandboxCalls(harness.sandbox).exportArchive('atlas/almanac');

    expect(String(body)).toHaveLength(Number(seeded?.['size']));
    expect(gunzipSync(archive).includes(String(body))).toBe(true);
  });

  test('download-upload returns 404 for an upload that does not exist', async () => {
    expect(await harness.send('maintainer', `${compass}/uploads/999999`)).toMatchObject({
      status: 404,
      body: { message: '404 Not found' },
    });
  });

  test('only maintainers delete an upload, by ID or by secret and name', async () => {
    const [first, second] = [await uploaded(compass, 'a.txt'), await uploaded(compass, 'b.txt')];

    expect((await harness.delete('developer', `${compass}/uploads/${first.id}`)).status).toBe(403);
    expect(await harness.delete('maintainer', `${compass}/uploads/${first.id}`)).toMatchObject({
      status: 204,
      body: null,
    });
    expect((await harness.delete('maintainer', `${compass}${second.url}`)).status).toBe(204);
    expect((await harness.send('maintainer', `${compass}/uploads/${first.id}`)).status).toBe(404);
    expect(await harness.list('maintainer', `${compass}/uploads`, 'id')).not.toContain(second.id);
  });
});
