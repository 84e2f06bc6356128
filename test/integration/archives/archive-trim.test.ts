import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { list } from 'tar';
import { describe, expect, it } from 'vitest';
import { inspectFile } from '../../../src-main/archive/inspect.ts';
import { readRecords } from '../../../src-main/archive/read.ts';
import { openRecordIndex } from '../../../src-main/archive/records/record-index.ts';
import { trimArchive, trimFromIndex, type RecordSelection } from '../../../src-main/archive/trim.ts';
import { openSandbox } from '../../../src-main/services/sandbox/embedded-sandbox.ts';
import { exportWith, lines, member } from '../../support/archives/archive-builder.ts';
import { realArchive, withoutRealArchives } from '../../support/archives/real-archives.ts';
import { backUp, importInto, openWorld, register } from '../../support/world.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { archiveFilter } from '../../support/requests.ts';
import { withoutUsers } from '../../support/servers/without-users.ts';

const withCode = (code: string): Error => expect.objectContaining({ code }) as Error;

function withIssues(content: string | Buffer, changes: Record<string, Buffer | null> = {}): string {
  const path = join(temporaryFolder(), 'some_export.tar.gz');
  const name = './tree/project/issues.ndjson';
  writeFileSync(path, exportWith({ [name]: member({ name, content }), ...changes }));
  return path;
}

/** Returns the texts of the files in the archive, by their names. */
async function membersOf(path: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const reading: Promise<void>[] = [];
  await list({
    file: path,
    onReadEntry: (entry) => {
      reading.push(entry.concat().then((bytes) => void found.set(entry.path, bytes.toString())));
    },
  });
  await Promise.all(reading);
  return found;
}

const place = (): string => join(temporaryFolder(), 'trimmed.tar.gz');

describe('a trimmed archive', () => {
  it('has the chosen records byte for byte, and reports the original line of each', async () => {
    const long = `{"iid":9,"title":"${'€'.repeat(900_000)}"}`;
    const path = withIssues(`{"iid":1}\n\n{"iid": 3}\r\n  \n${long}\n{"iid":10}`);
    const to = place();
    const trimmed = await trimArchive(
      path,
      [
        { relation: 'issues', lines: [5, 4, 2, 4] },
        { relation: 'project_feature', lines: null },
      ],
      to,
    );
    expect(trimmed.relations).toEqual([
      { relation: 'issues', lines: [2, 4, 5] },
      { relation: 'project_feature', lines: [0] },
    ]);
    const bytes = readFileSync(to);
    expect(trimmed).toMatchObject({
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(await inspectFile(to, {})).toMatchObject({
      verdict: 'sound',
      version: '0.2.4',
      gitlabVersion: '17.11.0',
      relations: { issues: 3, project_feature: 1 },
      bundles: [],
      members: 5,
    });
    const issues = [0, 1, 2].map((line) => ({ relation: 'issues', line }));
    const texts = (await readRecords(to, issues)).map((record) => record?.text);
    expect(texts).toEqual(['{"iid": 3}\r', long.slice(0, texts[1]?.length), '{"iid":10}']);
  });

  it('sets no attribute of the target project, and contains the members who wrote its records', async () => {
    const person = (id: number, username: string): object => ({
      access_level: 30,
      user: { id, username, public_email: `${username}@example.com` },
    });
    const invitation = { access_level: 30, invite_email: 'later@example.com' };
    const members = lines(person(7, 'author'), person(8, 'reader'), person(9, 'resolver'), invitation);
    const issues = lines(
      { iid: 1, title: 'Chosen', author_id: 7, notes: [{ note: '"author_id":8', resolved_by_id: 9 }] },
      { iid: 2, title: 'Left', author_id: 8 },
    );
    const memberFile = './tree/project/project_members.ndjson';
    const root = './tree/project.json';
    const path = withIssues(issues, {
      [memberFile]: member({ name: memberFile, content: members }),
      [root]: member({ name: root, content: '{"visibility_level":20,"archived":true}' }),
    });
    const indexes = temporaryFolder();
    const { sha256 } = await inspectFile(path, { indexFolder: indexes });
    const index = await openRecordIndex(indexes, sha256);
    if (index === null) throw new Error('There is no index.');
    const choices: RecordSelection[] = [{ relation: 'issues', lines: [0] }];
    const stamp = { version: '0.2.4', gitlabVersion: '17.11.0' };
    const [walked, byIndex] = [place(), place()];
    await trimArchive(path, choices, walked);
    await trimFromIndex(index, stamp, choices, byIndex, new AbortController().signal);
    await index.close();
    for (const trimmed of [walked, byIndex]) {
      const contents = await membersOf(trimmed);
      expect(contents.get('tree/project.json')).toBe('{}');
      expect(contents.get('tree/project/project_members.ndjson')).toBe(
        lines(person(7, 'author'), person(9, 'resolver')),
      );
    }
    expect(readFileSync(walked)).toEqual(readFileSync(byIndex));
    const chosenMembers = place();
    await trimArchive(path, [{ relation: 'project_members', lines: [1] }], chosenMembers);
    expect((await membersOf(chosenMembers)).get('tree/project/project_members.ndjson')).toBe(
      lines(person(8, 'reader')),
    );
  });

  it('of a complete relation has all records and no blank lines', async () => {
    const path = withIssues('\n{"iid":1}\n\t\n{"iid":2}\n\n');
    const { relations } = await trimArchive(path, [{ relation: 'issues', lines: null }], place());
    expect(relations).toEqual([{ relation: 'issues', lines: [1, 3] }]);
  });

  it('has the same bytes for the same choice', async () => {
    const path = withIssues('{"iid":1}\n{"iid":2}\n');
    const choice: RecordSelection[] = [{ relation: 'issues', lines: [1] }];
    const [first, second] = [
      await trimArchive(path, choice, place()),
      await trimArchive(path, choice, place()),
    ];
    expect(first).toEqual(second);
  });

  it.each<[string, RecordSelection, string]>([
    ['a line beyond the end', { relation: 'issues', lines: [0, 7] }, 'record-missing'],
    ['a blank line', { relation: 'issues', lines: [1] }, 'record-missing'],
    ['a missing relation', { relation: 'boards', lines: null }, 'record-missing'],
    ['a name that is not a relation', { relation: '../../issues', lines: null }, 'invalid-input'],
  ])('is not created for %s, and no file remains', async (_what, choice, code) => {
    const to = place();
    const path = withIssues('{"iid":1}\n\n{"iid":2}\n');
    await expect(trimArchive(path, [choice], to)).rejects.toThrow(withCode(code));
    expect(readdirSync(join(to, '..'))).toEqual([]);
  });

  it('is not created from an archive that is damaged before its end or has a relation twice', async () => {
    const to = place();
    const path = withIssues('{"iid":1}\n');
    writeFileSync(path, readFileSync(path).subarray(0, 250));
    const all: RecordSelection[] = [{ relation: 'project_feature', lines: [3] }];
    await expect(trimArchive(path, all, to)).rejects.toThrow(withCode('archive-corrupt'));
    const again = 'tree/project/issues.ndjson';
    const twice = withIssues('{"iid":1}\n', { again: member({ name: again, content: '{}' }) });
    const issues: RecordSelection[] = [{ relation: 'issues', lines: null }];
    await expect(trimArchive(twice, issues, to)).rejects.toThrow(withCode('archive-unsafe'));
    expect(readdirSync(join(to, '..'))).toEqual([]);
  });

  it('replaces no existing file', async () => {
    const to = place();
    writeFileSync(to, 'mine');
    const path = withIssues('{"iid":1}\n');
    const choice: RecordSelection[] = [{ relation: 'issues', lines: null }];
    await expect(trimArchive(path, choice, to)).rejects.toThrow(withCode('already-exists'));
    expect(readFileSync(to, 'utf8')).toBe('mine');
  });

  it('is imported by a server, and adds only its records', async () => {
    const sandbox = await openSandbox({ projectCount: 1 });
    const world = await openWorld();
    await register(world, 'work', sandbox);
    const [project = ''] = sandbox.state.paths;
    await backUp(world, 'work', [project]);
    const { archives } = await world.client.call('archive.list', archiveFilter({ limit: 1 }));
    const to = place();
    await trimArchive(archives[0]?.absolutePath ?? '', [{ relation: 'issues', lines: [1] }], to);
    const job = await importInto(world, 'work', to, { namespace: 'atlas', path: 'trimmed' });
    expect(job.state.status).toBe('succeeded');
    const [, second] = (await sandbox.state.project(project)).relations['issues'] ?? [];
    const { relations } = await sandbox.state.project('atlas/trimmed');
    // The archive has no members, so the import maps no user.
    expect(withoutUsers(relations['issues'])).toEqual(withoutUsers([second]));
    expect(Object.keys(relations).filter((name) => (relations[name]?.length ?? 0) > 0)).toEqual(['issues']);
    await sandbox.close();
  });
});

describe.skipIf(withoutRealArchives)('trimming and reading real archives', () => {
  it.each([
    'gitlab-13.8-sample',
    'gitlab-15.10-minimal',
    'gitlab-17.11-appledouble',
    'invalid-milestone',
    'lightweight',
    'nested-diffnote',
  ])('returns exactly the chosen records of %s, by a walk and by the index', async (name) => {
    const path = realArchive(name);
    const indexes = temporaryFolder();
    const { sha256 } = await inspectFile(path, { indexFolder: indexes });
    const index = await openRecordIndex(indexes, sha256);
    if (index === null) throw new Error('There is no index.');
    const available: { relation: string; line: number }[] = [];
    for (const { name: relation } of index.relations()) {
      for await (const { line, keys } of index.keys(relation))
        if (keys !== null) available.push({ relation, line });
    }
    await fc.assert(
      fc.asyncProperty(fc.subarray(available, { minLength: 1 }), async (chosen) => {
        const relations = [...new Set(chosen.map(({ relation }) => relation))];
        const choices = relations.map((relation) => ({
          relation,
          lines: chosen.filter((record) => record.relation === relation).map(({ line }) => line),
        }));
        const to = place();
        const trimmed = await trimArchive(path, choices, to);
        expect(trimmed.relations).toEqual(choices);
        const wanted = (await readRecords(path, chosen)).map((record) => record?.text);
        const places = choices.flatMap(({ relation, lines }) => lines.map((_, line) => ({ relation, line })));
        const found = (await readRecords(to, places)).map((record) => record?.text);
        expect(found).toEqual(wanted);
        const beyond = choices.map(({ relation, lines }) => ({ relation, line: lines.length }));
        expect(await readRecords(to, beyond)).toEqual(beyond.map(() => null));
        const byIndex = place();
        const stamp = { version: '0.2.4', gitlabVersion: null };
        await trimFromIndex(index, stamp, choices, byIndex, new AbortController().signal);
        expect((await readRecords(byIndex, places)).map((record) => record?.text)).toEqual(wanted);
      }),
      { numRuns: 5 },
    );
    await index.close();
  });
});
