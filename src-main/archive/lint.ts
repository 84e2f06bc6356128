/**
 * @file Predicts whether an import will work on a target, from the inspection of an archive and the known ways in which
 * imports fail (gitlab-facts 4, 5 and 7). Pure. Single records are checked by `records/lint-records.ts`, the project's
 * attributes by `lint-settings.ts`.
 */
import type { Finding, Inspection } from '../../src-contract/archives/archive.ts';
import type { LintFinding } from '../../src-contract/archives/lint-schema.ts';
import { acceptsLegacyLayout } from '../../src-contract/archives/legacy-layout.ts';
import { compareReleases, releaseOf, type Release } from '../../src-contract/instances/releases.ts';
import type { FindingCode } from './findings.ts';
import { defaultReadLimits } from './limits.ts';
import { parseFormatVersion } from './reader/export-content.ts';

/** The importing instance; null means not known. Sizes in bytes, 0 for no limit. */
export interface LintTarget {
  name: string;
  version: string | null;
  maxUnpackedBytes: number | null;
  maxImportBytes: number | null;
}

/** Relations with at most one record. The file of each contains `null` if there is none (gitlab-facts 5.3). */
const singletons = new Set([
  'auto_devops',
  'project_feature',
  'ci_cd_settings',
  'push_rule',
  'security_setting',
  'error_tracking_setting',
  'service_desk_setting',
  'container_expiration_policy',
  'metrics_setting',
  'user_contributions',
]);
/** Since this release, exports have no file for a relation without records. */
const omitsEmptySince: Release = { major: 16, minor: 0 };

/** The only version that importers since 11.1 accept (gitlab-facts 5.2). */
const formatVersion = '0.2.4';

export function lintArchive(inspection: Inspection, target: LintTarget | null): LintFinding[] {
  return [
    // The effect of the old layout depends on the target.
    ...inspection.findings.filter(({ code }) => code !== 'legacy-layout').map(toLintFinding),
    ...(inspection.verdict === 'unusable' ? [] : contentFindings(inspection, target)),
  ];
}

/** Converts a finding of the reader, with its effect on an import. */
function toLintFinding({ code, severity, message, where }: Finding): LintFinding {
  const meaning = meaningByCode[code];
  return {
    code,
    severity: meaning?.severity ?? (severity === 'error' ? 'blocker' : 'warning'),
    place: where,
    message: `${message}${/[.!?]$/.test(message) ? '' : '.'}`,
    fix:
      meaning?.fix ??
      (severity === 'error' ? 'Export the project again.' : 'Check the archive before you import it.'),
  };
}

type Meaning = Pick<LintFinding, 'severity' | 'fix'>;

const meanings = {
  link: {
    severity: 'blocker',
    fix: 'GitLab refuses or skips links in archives. Export the project again, or pack the archive without links.',
  },
  'special-member': { severity: 'blocker', fix: 'Export the project again; no export has such an entry.' },
  'name-escapes': { severity: 'blocker', fix: 'Do not import it. Export the project again.' },
  'record-too-long': {
    severity: 'blocker',
    fix: 'Shorten the original and export again, or import a trimmed archive without the record.',
  },
  'record-malformed': {
    severity: 'blocker',
    fix: 'Export the project again. If the place is a line, an archive that is trimmed without that line can be imported.',
  },
  'blank-line': {
    severity: 'blocker',
    fix: 'Remove the line from the file, or import a trimmed archive, which has no blank lines.',
  },
  'surrogate-alone': {
    severity: 'blocker',
    fix: 'Correct the text in the original and export again, or import a trimmed archive without the line.',
  },
  'folder-for-file': { severity: 'blocker', fix: 'Export the project again; no export has such a folder.' },
  'two-layouts': { severity: 'warning', fix: 'Remove project.json, or export the project again.' },
  'upload-hidden': {
    severity: 'warning',
    fix: 'Upload the file under another name in the original, or again on the target.',
  },
  'name-too-long': {
    severity: 'warning',
    fix: 'Give the file a shorter name in the original, and export again.',
  },
  'lfs-missing': {
    severity: 'warning',
    fix: 'Export the project again. If the object is missing again, push it to the original first.',
  },
  'lfs-unlisted': {
    severity: 'blocker',
    fix: 'Export the project again, or add the object to lfs-objects.json: "<name of the file>": [0].',
  },
  'lfs-mismatch': { severity: 'warning', fix: 'Export the project again; the object is damaged.' },
} satisfies Partial<Record<FindingCode, Meaning>>;
/** Stored inspections may have codes of other versions. */
const meaningByCode: Readonly<Record<string, Meaning | undefined>> = meanings;

function contentFindings(inspection: Inspection, target: LintTarget | null): LintFinding[] {
  return [
    ...formatFindings(inspection, target),
    ...sizeFindings(inspection, target),
    ...relationFindings(inspection),
    ...repositoryFindings(inspection),
    notCarriedFinding,
  ];
}

/** Checks whether the target reads the format of the source's version. */
function formatFindings(inspection: Inspection, target: LintTarget | null): LintFinding[] {
  const { version, layout, gitlabVersion } = inspection;
  const from = releaseOf(gitlabVersion);
  const to = releaseOf(target?.version ?? null);
  const found: LintFinding[] = [];
  if (version !== null && parseFormatVersion(version) !== formatVersion) {
    found.push({
      code: 'format-version',
      severity: 'blocker',
      place: 'VERSION',
      message: `The format is ${version.trim()}; GitLab 11.1 and newer accept only ${formatVersion}.`,
      fix: 'Import it into a GitLab of the same age, update that instance, and export again.',
    });
  }
  if (layout === 'legacy') {
    const isAccepted = acceptsLegacyLayout(target?.version ?? null) === true;
    found.push({
      code: 'legacy-layout',
      severity: isAccepted ? 'info' : 'blocker',
      place: 'project.json',
      message: 'All records are in one document, which GitLab 15.11 and newer do not accept.',
      fix: 'Import it into GitLab 15.10 or older, and export again from there.',
    });
  }
  if (to !== null && from !== null && compareReleases(from, to) > 0) {
    found.push({
      code: 'target-older',
      severity: 'warning',
      place: 'GITLAB_VERSION',
      message: `The archive is from GitLab ${gitlabVersion?.trim() ?? ''}, and ${target?.name ?? 'the target'} is older. Data that only the newer version knows is lost.`,
      fix: 'Update the target first.',
    });
  }
  return found;
}

/** Checks the sizes against the target's limits. */
function sizeFindings({ unpackedBytes, sizeBytes }: Inspection, target: LintTarget | null): LintFinding[] {
  const unpackedLimit = target?.maxUnpackedBytes ?? defaultReadLimits.unpackedBytes;
  const limit = target?.maxImportBytes ?? 0;
  const found: LintFinding[] = [];
  if (unpackedLimit > 0 && unpackedBytes > unpackedLimit) {
    found.push({
      code: 'unpacked-too-large',
      severity: 'blocker',
      place: null,
      message: `The unpacked archive has ${unpackedBytes} bytes; at most ${unpackedLimit} are accepted.`,
      fix: 'An administrator of the target can raise the maximum size of unpacked archives.',
    });
  }
  if (limit > 0 && sizeBytes > limit) {
    found.push({
      code: 'import-too-large',
      severity: 'blocker',
      place: null,
      message: `The archive has ${sizeBytes} bytes; ${target?.name ?? 'the target'} accepts at most ${limit}.`,
      fix: 'An administrator of the target can raise the maximum import size.',
    });
  }
  return found;
}

/** Reports relations without records, if their absence means something. */
function relationFindings({ relations, gitlabVersion }: Inspection): LintFinding[] {
  const found: LintFinding[] = [];
  if ((relations['project_members'] ?? 0) === 0) {
    found.push({
      code: 'members-missing',
      severity: 'warning',
      place: 'project_members',
      message: 'The archive has no members: no user can be mapped, and no member is imported.',
      fix: 'Let an owner of the group, or an administrator, make the export.',
    });
  }
  const from = releaseOf(gitlabVersion);
  if (from === null || compareReleases(from, omitsEmptySince) < 0) return found;
  for (const [relation, records] of Object.entries(relations)) {
    if (records > 0 || singletons.has(relation) || relation === 'project_members') continue;
    found.push({
      code: 'relation-empty',
      severity: 'info',
      place: relation,
      message: `The file of ${relation} is empty; GitLab 16 and newer write no file for a relation without records.`,
      fix: 'Compare with the source. If it has such records, export the project again.',
    });
  }
  return found;
}

function repositoryFindings({ bundles }: Inspection): LintFinding[] {
  if (bundles.some(({ member }) => member === 'project.bundle')) return [];
  return [
    {
      code: 'repository-missing',
      severity: 'info',
      place: 'project.bundle',
      message: 'The archive has no repository, like the export of an empty repository.',
      fix: 'Compare with the source. If it has commits, export the project again.',
    },
  ];
}

const notCarriedFinding: LintFinding = {
  code: 'not-carried',
  severity: 'info',
  place: null,
  message:
    'No export contains variables, webhooks, deploy keys, triggers, container images, packages, environments, secure files, issue links, job logs or artifacts.',
  fix: 'Set them up again on the target; pull and push images, run pipelines again.',
};
