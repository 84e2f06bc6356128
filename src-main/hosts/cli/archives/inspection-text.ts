/** @file Prints the result of reading an archive, and chooses the exit code. */
import {
  conditionOf,
  lacksRecords,
  type ArchiveCondition,
} from '../../../../src-contract/archives/archive-quality.ts';
import type { Finding, Inspection } from '../../../../src-contract/archives/archive.ts';
import { conditionText } from '../../../../src-contract/words/states.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { lowerFirst } from '../../../../src-contract/words/first-letter.ts';
import { joinLines, plural, tableOf } from '../terminal/format.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';

/** A finding above `info` is a reason to check the archive before relying on it. */
export const findingsExitCode = (findings: Finding[]): ExitCode =>
  findings.some(({ severity }) => severity !== 'info') ? exitCodes.partly : exitCodes.done;

/** Returns the condition in words. A damaged archive is shown as damaged, whatever was found when it was stored. */
export function conditionLine(condition: ArchiveCondition, findings: number): string {
  const word = lowerFirst(conditionText[condition].text);
  return findings === 0 || condition === 'damaged' ? word : `${word}, ${plural(findings, 'finding')}`;
}

/** Returns a line for each finding. Equal findings at many places share one line, with the first place. */
export function findingLines(findings: readonly Finding[]): string[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const line = `  ${finding.severity.padEnd(7)}  ${finding.code}  ${finding.message}`;
    const known = groups.get(line);
    if (known === undefined) groups.set(line, [finding]);
    else known.push(finding);
  }
  return [...groups].map(([line, group]) => {
    const where = group.find((one) => one.where !== null)?.where ?? null;
    const place = where === null ? [] : [group.length === 1 ? where : `first at ${where}`];
    const notes = [...(group.length === 1 ? [] : [`${group.length} times`]), ...place];
    return notes.length === 0 ? line : `${line} (${notes.join(', ')})`;
  });
}

export function inspectionText(inspection: Inspection, damaged = false): string {
  const relations = Object.entries(inspection.relations).filter(([, count]) => count > 0);
  const bundles = inspection.bundles.map(
    (bundle) =>
      `  ${bundle.member}: ${plural(bundle.branches, 'branch', 'branches')}, ${plural(bundle.tags, 'tag')}, ${bundle.objects ?? '?'} objects`,
  );
  const { verdict, findings } = inspection;
  const condition = conditionOf({ verdict, incomplete: lacksRecords(findings), damaged });
  return joinLines(
    `verdict    ${conditionLine(condition, inspection.findings.length)}`,
    `layout     ${inspection.layout ?? 'unknown'}, format ${inspection.version ?? 'unknown'}, GitLab ${inspection.gitlabVersion ?? 'unknown'}`,
    `size       ${formatBytes(inspection.sizeBytes)}, unpacked ${formatBytes(inspection.unpackedBytes)}, ${plural(inspection.members, 'member')}`,
    `SHA-256    ${inspection.sha256}`,
    `uploads    ${inspection.uploads}, LFS objects ${inspection.lfsObjects}`,
    '',
    relations.length === 0
      ? 'It has no records.'
      : tableOf(relations, ([name, count]) => ({
          RELATION: name,
          RECORDS: count,
          NOTES: inspection.notes[name] ?? null,
        })),
    bundles.length > 0 && ['', 'repositories', ...bundles],
    '',
    inspection.findings.length > 0
      ? ['findings', ...findingLines(inspection.findings)]
      : [damaged ? 'There were no findings when it was stored.' : 'No findings.'],
  );
}
