/** @file Checks whether an archive can be imported, from its inspection and each of its records. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Inspection } from '../../../src-contract/archives/archive.ts';
import type { Lint, LintFinding } from '../../../src-contract/archives/lint-schema.ts';
import { preflightSeverities } from '../../../src-contract/migrations/migration.ts';
import { inspectFile, type InspectFileOptions } from '../../archive/inspect.ts';
import { lintArchive, type LintTarget } from '../../archive/lint.ts';
import { lintSettings } from '../../archive/lint-settings.ts';
import { projectAttributes } from '../../archive/records/project-attributes.ts';
import { lintRecords } from '../../archive/records/lint-records.ts';
import { openRecordIndex, type RecordIndex } from '../../archive/records/record-index.ts';
import { placementProblems } from '../../jobs/migrations/placing.ts';
import type { SideFacts } from '../../jobs/migrations/preflight/facts.ts';
import { sourceBeside } from './record-access.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { Connections } from '../instances/connections.ts';

export async function lintForInstance(
  connections: Connections,
  path: string,
  target: Instance | null,
  options: InspectFileOptions & { signal: AbortSignal },
): Promise<Lint> {
  const { signal } = options;
  const limits =
    target === null
      ? null
      : lintTarget(target.name, await connections.connect(target).preflight.instanceFacts(signal));
  return lintFile(path, limits, signal, options.onProgress);
}

const maxFindings = 1000;

export const lintTarget = (
  name: string,
  { version, settings }: Pick<SideFacts, 'version' | 'settings'>,
): LintTarget => ({
  name,
  version,
  maxUnpackedBytes: settings?.maxUnpackedBytes ?? null,
  maxImportBytes: settings?.maxImportBytes ?? null,
});

/**
 * @param index null if the records could not be read.
 * @param pathFindings findings about the path of the project.
 */
export async function lintContents(
  inspection: Inspection,
  index: RecordIndex | null,
  target: LintTarget | null,
  signal: AbortSignal,
  pathFindings: readonly LintFinding[] = [],
): Promise<Lint> {
  const findings = [...pathFindings, ...lintArchive(inspection, target)];
  // The inspection already reports the worst lines.
  const reportedKeys = new Set(findings.map(({ code, place }) => `${code} ${place ?? ''}`));
  const ofRecords = new Map(preflightSeverities.map((severity) => [severity, new Array<LintFinding>()]));
  let recordFindingCount = 0;
  if (index !== null) {
    findings.push(...lintSettings((await projectAttributes(index)) ?? {}));
    for await (const finding of lintRecords(index, signal)) {
      const [relation = '', line = ''] = finding.place?.split(':') ?? [];
      if (reportedKeys.has(`${finding.code} tree/project/${relation}.ndjson:${line}`)) continue;
      recordFindingCount += 1;
      // The limit applies to each severity, so that earlier remarks do not displace a later warning.
      const sameSeverity = ofRecords.get(finding.severity);
      if (sameSeverity !== undefined && sameSeverity.length < maxFindings) sameSeverity.push(finding);
    }
  }
  const listed = sortBySeverity([...findings, ...[...ofRecords.values()].flat()]).slice(0, maxFindings);
  return {
    findings: listed,
    more: findings.length + recordFindingCount - listed.length,
    recordsRead: index !== null,
  };
}

function sortBySeverity(findings: readonly LintFinding[]): LintFinding[] {
  const rank = ({ severity }: LintFinding): number => preflightSeverities.indexOf(severity);
  return findings.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * Checks the path of the project on its source, if known. Problems are warnings only, because an import can use another
 * path.
 */
function lintPath(fullPath: string | null): LintFinding[] {
  if (fullPath === null) return [];
  const path = fullPath.slice(fullPath.lastIndexOf('/') + 1);
  const placement = { namespace: 'any', path, name: null, overwrite: false, overrideParams: {} };
  return placementProblems(placement).map((message) => ({
    code: 'path-refused',
    severity: 'warning',
    place: null,
    message,
    fix: 'Import the project under another path.',
  }));
}

/**
 * Checks any file, and the project path if a manifest is next to the file. The index of its records is in a temporary
 * folder during the check.
 */
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
      indexFolder: folder,
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    const index = await openRecordIndex(folder, inspection.sha256);
    try {
      const pathFindings = lintPath((await sourceBeside(path))?.project.fullPath ?? null);
      return await lintContents(inspection, index, target, signal, pathFindings);
    } finally {
      await index?.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
