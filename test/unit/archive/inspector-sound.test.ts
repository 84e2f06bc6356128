import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  archive,
  base256,
  endMarker,
  exportMembers,
  exportWith,
  gnuLong,
  lines,
  member,
  pax,
} from '../../support/archives/archive-builder.ts';
import { inspectBytes } from '../../support/archives/archive-inspection.ts';

const sound = exportWith();
const tar = (): Buffer => Buffer.concat([...exportMembers().values()]);

describe('a sound export', () => {
  it('yields its versions, counts, notes, bundles and members', async () => {
    expect(await inspectBytes(sound)).toEqual({
      verdict: 'sound',
      layout: 'ndjson',
      version: '0.2.4',
      gitlabVersion: '17.11.0',
      unpackedBytes: tar().length + 1024,
      relations: { issues: 2, labels: 0, project_feature: 1, auto_devops: 0 },
      notes: { issues: 2 },
      bundles: [{ member: 'project.bundle', branches: 1, tags: 1, otherRefs: 1, objects: 1 }],
      uploads: 1,
      lfsObjects: 1,
      lfsBytes: 12,
      members: 15,
      findings: [],
    });
  });

  it.each([1, 7, 511, 512, 513])('yields the same result in pieces of %i bytes', async (pieceBytes) => {
    expect(await inspectBytes(sound, { pieceBytes })).toEqual(await inspectBytes(sound));
  });

  it('may leave out the leading ./ and pad gzip and tar with zeros', async () => {
    const plain = archive(
      member({ name: 'VERSION', content: '0.2.4\n' }),
      member({ name: 'tree/project.json', content: '{\n  "description": null\n}\n' }),
      member({ name: 'tree/project/issues.ndjson', content: lines({ iid: 1 }) }),
      Buffer.alloc(20_480),
    );
    const seen = await inspectBytes(Buffer.concat([plain, Buffer.alloc(700)]));
    expect(seen).toMatchObject({
      verdict: 'sound',
      version: '0.2.4',
      relations: { issues: 1 },
      findings: [],
    });
  });

  it('may be split over several gzip members', async () => {
    const bytes = Buffer.concat([tar(), endMarker]);
    const split = Buffer.concat([gzipSync(bytes.subarray(0, 3000)), gzipSync(bytes.subarray(3000))]);
    expect(await inspectBytes(split)).toMatchObject({ verdict: 'sound', members: 15 });
  });

  it('may have long names in PAX and GNU headers, and sizes in PAX headers and base 256', async () => {
    const long = `./uploads/${'x'.repeat(150)}`;
    const seen = await inspectBytes(
      exportWith({
        1: Buffer.concat([pax({ path: long, mtime: '1.5' }), member({ name: './short', content: 'abc' })]),
        2: Buffer.concat([gnuLong('L', `${long}2`), member({ name: './short', content: 'abc', gnu: true })]),
        3: Buffer.concat([
          pax({ size: '600', path: './tree/project/releases.ndjson' }),
          member({ name: './r', size: 0, content: `${JSON.stringify({ name: 'x'.repeat(588) })}\n` }),
        ]),
        4: Buffer.concat([pax({ comment: 'a commit' }, 'g')]),
        5: member({
          name: './snippets/a',
          content: 'x'.repeat(515),
          size: base256([0x80, 2, 3].slice(1)).fill(0x80, 0, 1),
        }),
      }),
    );
    expect(seen).toMatchObject({ verdict: 'sound', findings: [], members: 19, uploads: 3 });
    expect(seen.relations['releases']).toBe(1);
  });

  it('may have names that other systems forbid or treat as equal, because nothing is unpacked', async () => {
    const names = ['con', 'AUX.txt', 'a.', 'a ', 'a:b', 'a?*|"<>', 'VERSION', 'straße', 'strasse', 'STRASSE'];
    const equalNames = ['\u00e9', 'e\u0301'];
    const all = [...names, ...equalNames].map((name) => member({ name: `./uploads/${name}` }));
    expect(await inspectBytes(exportWith({ all: Buffer.concat(all) }))).toMatchObject({
      verdict: 'sound',
      findings: [],
      uploads: 1 + all.length,
    });
  });

  it.each(['0.1.0', '0.1.8', '0.2.0', '0.2.3', '0.2.4\n'])('may have the version %j', async (content) => {
    const seen = await inspectBytes(exportWith({ './VERSION': member({ name: './VERSION', content }) }));
    expect(seen).toMatchObject({ verdict: 'sound', version: content.trim() });
  });

  it('may contain files that macOS adds, which are ignored but counted as members', async () => {
    const seen = await inspectBytes(
      exportWith({
        1: member({ name: '._.', content: 'mac' }),
        2: member({ name: './tree/project/._issues.ndjson', content: 'not json' }),
        3: member({ name: './.DS_Store', content: 'mac' }),
        4: member({ name: './._VERSION', content: 'mac' }),
      }),
    );
    expect(seen).toMatchObject({ verdict: 'sound', findings: [], members: 19, version: '0.2.4' });
    expect(seen.relations).toEqual({ issues: 2, labels: 0, project_feature: 1, auto_devops: 0 });
  });
});
