/** @file Validates an archive and its target path before an import. The checks throw, and send no requests. */
import type { Finding, Inspection } from '../../../src-contract/archives/archive.ts';
import { AppError } from '../../../src-contract/errors.ts';
import { isProjectPath } from '../../../src-contract/projects/project.ts';

const maxShown = 3;

/** Throws `archive-corrupt` for an unusable archive, and `archive-unsafe` for a suspicious one unless allowed. */
export function assertImportable(path: string, inspection: Inspection, allowSuspicious: boolean): void {
  if (inspection.verdict === 'unusable') {
    const firstError = inspection.findings.find((finding) => finding.severity === 'error');
    throw new AppError(
      'archive-corrupt',
      `${path}: ${firstError?.message ?? 'it cannot be read to its end.'}`,
    );
  }
  if (inspection.verdict === 'suspicious' && !allowSuspicious) {
    const findings = inspection.findings.filter((finding) => finding.severity !== 'info');
    throw new AppError('archive-unsafe', `${path}: ${firstFindingsText(findings)}`, {
      details: { findings: findings.length },
    });
  }
}

function firstFindingsText(findings: Finding[]): string {
  const shown = findings.slice(0, maxShown).map(({ message, where }) => {
    const place = where === null ? '' : ` (${where})`;
    return `${message.replace(/\.$/, '')}${place}.`;
  });
  const more = findings.length - shown.length;
  return [...shown, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}

/** Returns the path. Throws `invalid-input` if it cannot be the last part of a project's address. */
export function requireProjectPath(path: string): string {
  if (!isProjectPath(path)) {
    throw new AppError(
      'invalid-input',
      `"${path}" is not a project path: use letters, digits, "_", "-" and ".", and begin with a letter, a digit or "_".`,
    );
  }
  return path;
}
