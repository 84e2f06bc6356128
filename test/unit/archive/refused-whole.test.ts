/**
 * @file Archives that GitLab refuses completely, or reads with silent losses, are never just "sound" (gitlab-facts 5.5
 * and 7).
 */
import { describe, expect, it } from 'vitest';
import { lintArchive } from '../../../src-main/archive/lint.ts';
import { JsonScanner } from '../../../src-main/archive/reader/json-scanner.ts';
import { exportWith, member } from '../../support/archives/archive-builder.ts';
import { inspectBytes } from '../../support/archives/archive-inspection.ts';

const issues = './tree/project/issues.ndjson';
const root = './tree/project.json';
const ignoredFields = { sha256: '', sizeBytes: 0 };
const file = (name: string, content: string | Buffer = '') => ({ [name]: member({ name, content }) });

describe('an archive that GitLab refuses as a whole', () => {
  it.each<[string, Record<string, Buffer | null>, string]>([
    ['a blank line', file(issues, '{}\n\n{}\n'), 'blank-line'],
    ['spaces after the last line', file(issues, '{}\n  '), 'blank-line'],
    ['a lone surrogate in a record', file(issues, '{"title":"\\ud800"}\n'), 'surrogate-alone'],
    ['a lone surrogate in the attributes', file(root, '{"description":"\\uDC00 x"}'), 'surrogate-alone'],
    ['attributes that are a list', file(root, '[]'), 'document-no-object'],
    ['attributes that are null', file(root, ' null'), 'document-no-object'],
    ['attributes that are a string', file(root, '"x"'), 'document-no-object'],
    [
      'attributes over 50 MiB',
      file(root, Buffer.concat([Buffer.alloc(52_428_800, 32), Buffer.from('{}')])),
      'document-too-long',
    ],
    [
      'a folder in place of a relation',
      { [issues]: null, x: member({ name: `${issues}/`, type: '5' }) },
      'folder-for-file',
    ],
    [
      'a relation whose name ends with a slash',
      { [issues]: null, x: member({ name: `${issues}/`, type: '0' }) },
      'folder-for-file',
    ],
    ['an LFS object that is not listed', file('./lfs-objects.json', '{}'), 'lfs-unlisted'],
    ['VERSION on the second line', file('./VERSION', '\n0.2.4'), 'format-version'],
  ])('because of %s is suspicious, and its import is blocked', async (_what, changes, code) => {
    const inspection = await inspectBytes(exportWith(changes));
    expect(inspection.verdict).toBe('suspicious');
    const blockers = lintArchive({ ...inspection, ...ignoredFields }, null).filter(
      ({ severity }) => severity === 'blocker',
    );
    expect(blockers.map((finding) => finding.code)).toContain(code);
  });

  it.each([
    ['two layouts', file('./project.json', '{"issues":[{},{}]}'), 'two-layouts'],
    ['a doubled slash', file('tree//project/labels.ndjson', '{}\n'), 'name-odd'],
    ['a dot between slashes', file('tree/./project/labels.ndjson', '{}\n'), 'name-odd'],
  ])('or reads differently because of %s is suspicious', async (_what, changes, code) => {
    const inspection = await inspectBytes(exportWith(changes));
    expect(inspection).toMatchObject({ verdict: 'suspicious', findings: [{ code }] });
  });
});

it('uploads whose names begin with a dot are reported, and the archive is sound', async () => {
  const secret = './uploads/0123456789abcdef0123456789abcdef';
  const changes = { ...file(`${secret}/.env`), ...file(`${secret}/.git/config`), ...file(`${secret}/a.b`) };
  const inspection = await inspectBytes(exportWith(changes));
  const places = [`${secret}/.env`, `${secret}/.git/config`].map((name) => name.slice(2));
  expect(inspection.verdict).toBe('sound');
  expect(inspection.findings.map(({ code, where }) => [code, where])).toEqual(
    places.map((place) => ['upload-hidden', place]),
  );
  expect(
    lintArchive({ ...inspection, ...ignoredFields }, null).filter(({ code }) => code === 'upload-hidden'),
  ).toMatchObject(places.map((place) => ({ severity: 'warning', place })));
});

it.each([
  ['"\\ud83d\\ude00"', false],
  ['"\\uD83D\\uDE00\\ud83d\\ude00"', false],
  ['"\\\\ud800"', false],
  ['"\\ue000"', false],
  ['"\\ud800"', true],
  ['"\\ud83dx"', true],
  ['"\\ud83d\\n"', true],
  ['{"\\udc00":1}', true],
  ['"\\ud83d\\ude00\\ude00"', true],
])('%s has a surrogate without its other half: %s', (text, isAlone) => {
  for (const size of [1, 3, 100]) {
    const scanner = new JsonScanner();
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) scanner.write(bytes.subarray(at, at + size));
    expect([scanner.isComplete, scanner.hasLoneSurrogate]).toEqual([true, isAlone]);
  }
});
