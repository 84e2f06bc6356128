/** @file The files of snippets whose repositories an archive contains, because a comparison does not read those. */
import { describe, expect, it } from 'vitest';
import { snippetPaths } from '../../../../../src-main/jobs/migrations/comparing/contents/snippet-files.ts';
import {
  describeUnknownFiles,
  withRepositoryFiles,
} from '../../../../../src-main/jobs/migrations/comparing/losses/snippet-repositories.ts';

const exportedAt = Date.parse('2026-11-20T12:00:00Z');
const times = { createdAt: exportedAt - 9000, updatedAt: exportedAt - 5000 };
const snippet = (files: string | null, changes: { updatedAt?: number } = {}) => ({
  ...{ key: '1', iid: null, title: 'A', notes: null, line: 0, id: 1, ...times, ...changes },
  contents: { title: 'A', ...(files !== null && { files }) },
});

/** Returns what the archive is expected to contain. */
function expected(
  source: ReturnType<typeof snippet> | null,
  target: string | null,
  { hasRepositories = true } = {},
) {
  const { records, unknownCount } = withRepositoryFiles({
    ...{ hasRepositories, archive: [snippet('old.rb')], exportedAt },
    source: source && [source],
    target: [snippet(target)],
  });
  return { files: records[0]?.contents?.['files'], unknownCount };
}

describe('the files that an archive has of a snippet', () => {
  it('are those on the source if nobody edited it since, because a push does not change the record', () => {
    const found = { files: 'pushed.rb', unknownCount: 0 };
    expect(expected(snippet('pushed.rb'), 'pushed.rb')).toEqual(found);
    expect(expected(snippet('pushed.rb'), 'old.rb')).toEqual(found);
  });

  it('are those in the record if the target has the same, although the source was edited or not read', () => {
    const found = { files: 'old.rb', unknownCount: 0 };
    expect(expected(snippet('new.rb', { updatedAt: exportedAt + 1 }), 'old.rb')).toEqual(found);
    expect(expected(null, 'old.rb')).toEqual(found);
  });

  it('are unknown otherwise, and counted if the target shows its own', () => {
    expect(expected(snippet('new.rb', { updatedAt: exportedAt }), 'x.rb')).toEqual({ unknownCount: 1 });
    expect(expected(null, 'x.rb')).toEqual({ unknownCount: 1 });
    expect(expected(null, null)).toEqual({ unknownCount: 0 });
    expect(describeUnknownFiles(1).join()).toMatch(/files of 1 snippet were not compared/);
    expect(describeUnknownFiles(0)).toEqual([]);
  });

  it('are those in the record if the archive contains no repositories', () => {
    expect(expected(snippet('pushed.rb'), 'x.rb', { hasRepositories: false })).toMatchObject({
      files: 'old.rb',
    });
  });
});

it('the paths of a snippet are those of its repository, or its one file without a repository', () => {
  expect(snippetPaths({ file_name: 'a.rb', files: [{ path: 'a.rb' }, { path: 'b.rb' }] })).toEqual([
    'a.rb',
    'b.rb',
  ]);
  expect(snippetPaths({ file_name: 'a.rb', files: [] })).toEqual(['a.rb']);
  expect(snippetPaths({ file_name: '' })).toEqual([]);
});
