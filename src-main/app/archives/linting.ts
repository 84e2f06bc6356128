/** @file Whether an archive can be imported somewhere: what reading it told, and each of its records. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Inspection } from '../../../src-preload/contract/archive.ts';
import type { Lint, LintFinding } from '../../../src-preload/contract/migrations/lint.ts';
import { preflightSeverities } from '../../../src-preload/contract/migrations/migration.ts';
import { inspectFile } from '../../archive/inspect.ts';
import { lintArchive, type LintTarget } from '../../archive/lint.ts';
import { lintRecords } from '../../archive/records/lint-records.ts';
import { openRecordIndex, type RecordIndex } from '../../archive/records/record-index.ts';
import type { SideFacts } from '../../jobs/preflight/facts.ts';

const most = 1000;

/** The rules of an instance, as far as it tells them. */
export const lintTarget = (
  name: string,
  { version, settings }: Pick<SideFacts, 'version' | 'settings'>,
): LintTarget => ({
  name,
  version,
  maxUnpackedBytes: settings?.maxUnpackedBytes ?? null,
  maxImportBytes: settings?.maxImportBytes ?? null,
});

/** @param index null: the records were not read. */
export async function lintOf(
  inspection: Inspection,
  index: RecordIndex | null,
  target: LintTarget | null,
  signal: AbortSignal,
): Promise<Lint> {
  const findings = lintArchive(inspection, target);
  // Reading tells of the worst lines already.
  const told = new Set(findings.map(({ code, place }) => `${code} ${place ?? ''}`));
  let more = 0;
  if (index !== null) {
    for await (const finding of lintRecords(index, signal)) {
      const [relation = '', line = ''] = finding.place?.split(':') ?? [];
      if (told.has(`${finding.code} tree/project/${relation}.ndjson:${line}`)) continue;
      if (findings.length < most) findings.push(finding);
      else more += 1;
    }
  }
  const rank = ({ severity }: LintFinding): number => preflightSeverities.indexOf(severity);
  return {
    findings: findings.toSorted((one, other) => rank(one) - rank(other)),
    more,
    recordsRead: index !== null,
  };
}

/** Of any file; its records are kept beside it in a temporary folder while they are looked at. */
export async function lintFile(
  path: string,
  target: LintTarget | null,
  signal: AbortSignal,
  onProgress?: (done: number, total: number) => void,
): Promise<Lint> {
  const folder = await mkdtemp(join(tmpdir(), 'packhorse-lint-'));
  try {
    const inspection = await inspectFile(path, {
      signal,
      indexes: folder,
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    const index = await openRecordIndex(folder, inspection.sha256);
    try {
      return await lintOf(inspection, index, target, signal);
    } finally {
      await index?.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
