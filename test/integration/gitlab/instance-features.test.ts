/** @file The replies of an instance about a feature that is disabled, or enabled and unused. */
import { expect, test } from 'vitest';
import { notExportedCounts } from '../../../src-main/gitlab/projects/not-exported-counts.ts';
import { importFromUrl } from '../../../src-main/gitlab/transfers/remote-imports.ts';
import { importRelation } from '../../../src-main/gitlab/transfers/relation-imports.ts';
import { Token } from '../../../src-main/platform/token.ts';
import { failureOf, testClient } from '../../support/servers/instance-client.ts';
import { openTestSandbox } from '../../support/world.ts';
import { writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { exportWith } from '../../support/archives/archive-builder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const openClient = async (options: Parameters<typeof openTestSandbox>[0]) => {
  const sandbox = await openTestSandbox(options);
  const token = () => Promise.resolve(new Token(sandbox.tokens.maintainer));
  return { sandbox, client: testClient(sandbox.url, { token }) };
};

test('a disabled feature flag is reported as feature-off, not as a missing namespace or project', async () => {
  const { sandbox, client } = await openClient({
    projectCount: 1,
    disabledFeatures: ['remote-import', 'relation-import'],
  });
  const namespace = 'atlas';
  const source = { url: 'https://files.example/a.tar.gz?signature=0123456789', namespace };
  expect(await failureOf(importFromUrl(client, { ...source, path: 'fetched' }))).toMatchObject({
    code: 'feature-off',
    details: { flag: 'import_project_from_remote_file' },
  });

  const path = join(temporaryFolder(), 'a_export.tar.gz');
  const bytes = exportWith();
  writeFileSync(path, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const upload = { path, sha256, sizeBytes: bytes.length, fileName: 'a.tar.gz', relation: 'issues' } as const;
  const [fullPath = ''] = sandbox.state.paths;
  expect(await failureOf(importRelation(client, { ...upload, fullPath }))).toMatchObject({
    code: 'feature-off',
    details: { flag: 'single_relation_import' },
  });
});

test.each([
  [{ deployments: [] }, 0],
  [{ deployments: [{ created_at: '2026-01-01T00:00:00Z', url: 'https://a.example' }] }, 1],
  // Without a list of deployments it is unknown whether a site exists.
  [{ url: 'https://a.example' }, null],
])('the Pages response %o gives a count of %s sites', async (body, count) => {
  const { sandbox, client } = await openClient({ projectCount: 1 });
  sandbox.faults.add({ match: { path: '/pages' }, action: { kind: 'respond', status: 200, body } });
  const [fullPath = ''] = sandbox.state.paths;
  const { id } = await sandbox.state.project(fullPath);
  expect((await notExportedCounts(client, id)).pages).toBe(count);
});
