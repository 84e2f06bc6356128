/** @file Obstacles to migrating one project, and parts that will not arrive (gitlab-facts 5 to 7 and 12). Pure. */
import { notExportedKinds } from '../../../../src-contract/migrations/migration.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { importedVisibility } from '../imported-visibility.ts';
import { countedParts, uncountedSentences } from '../never-exported.ts';
import { accessLevels } from '../access-levels.ts';
import {
  isSameInstance,
  type Facts,
  type ProjectFacts,
  type SideFacts,
  type SourceProjectFacts,
  type ExistingProjectFacts,
} from './facts.ts';
import {
  keepApplicable,
  blocker,
  info,
  projectBlocker,
  projectFinding,
  warning,
  type RuleFinding,
  type FindingDetails,
} from './rule-finding.ts';
import { userNamespaceAbove } from './namespace-findings.ts';

export function projectFindings(facts: Facts): RuleFinding[] {
  return facts.projects.flatMap((project) => {
    const { source } = project;
    const sourceFindings =
      source === null
        ? [missingSourceFinding(project)]
        : [
            ...exportFindings(project, source, facts),
            ...changedSettingFindings(project, source, facts),
            notExportedFinding(source),
          ];
    return [
      ...placementFindings(project, facts),
      ...keepApplicable(newestArchiveFindings(project)),
      ...keepApplicable(sourceFindings),
    ].map((finding) => projectFinding(project.sourcePath, finding));
  });
}

function missingSourceFinding({ sourcePath, sourceError }: ProjectFacts): FindingDetails {
  if (sourceError !== null) {
    return projectBlocker(
      'source-unreadable',
      `The source cannot show ${sourcePath}: ${sourceError}`,
      'The other projects move without it. Have an administrator find out why GitLab cannot show it, then check again; or leave it out.',
    );
  }
  return blocker(
    'source-missing',
    `${sourcePath} is no longer on the source, or the account cannot see it.`,
    'Leave it out, or find its new path.',
  );
}

function placementFindings(project: ProjectFacts, facts: Facts): FindingDetails[] {
  const { conflicts, existingProject, placement, targetError } = project;
  const targetPath = `${placement.namespace}/${placement.path}`;
  const userNamespace = userNamespaceAbove(placement.namespace, facts.namespacesByPath);
  const findings = keepApplicable([
    conflicts.length > 0 &&
      blocker('place-impossible', conflicts.join(' '), 'Give it another group or path.'),
    userNamespace !== null &&
      blocker(
        'group-below-person',
        `It cannot be imported to ${targetPath}: ${userNamespace} is a personal namespace, which cannot contain groups.`,
        `Choose another place: ${userNamespace} itself, or a group.`,
      ),
    targetError !== null &&
      projectBlocker(
        'target-unreadable',
        `The target cannot show ${targetPath}: ${targetError}`,
        'The other projects move without it. Have an administrator find out why GitLab cannot show it, then check again; or choose another place.',
      ),
  ]);
  return existingProject === null
    ? findings
    : [...findings, ...existingProjectFindings(existingProject, targetPath, project, facts)];
}

function existingProjectFindings(
  existing: ExistingProjectFacts,
  targetPath: string,
  { placement, sourcePath }: ProjectFacts,
  { source, target }: Facts,
): FindingDetails[] {
  if (isSameInstance(source, target) && existing.fullPath.toLowerCase() === sourcePath.toLowerCase()) {
    return [
      blocker('target-is-source', `${targetPath} is the project itself.`, 'Choose another group or path.'),
    ];
  }
  if (existing.fullPath.toLowerCase() !== targetPath.toLowerCase()) {
    return [
      warning(
        'target-redirect',
        `${targetPath} redirects to ${existing.fullPath}, which had that path before. The new project takes over the address.`,
        'Links to the old address will open the new project. Choose another path if that matters.',
      ),
    ];
  }
  if (existing.markedForDeletionOn !== null) {
    return [
      blocker(
        'target-pending-deletion',
        `The project at ${targetPath} has been marked for deletion since ${existing.markedForDeletionOn}; it keeps its path until it is gone.`,
        'Delete it permanently, or choose another path.',
      ),
    ];
  }
  if (!placement.overwrite) {
    return [
      blocker(
        'target-taken',
        `There is already a project at ${targetPath}.`,
        'Choose another path, leave the project out, or let it be replaced. An override alone does not help: GitLab refuses the import while the project exists.',
      ),
    ];
  }
  return keepApplicable([
    warning(
      'target-replaced',
      `The project at ${targetPath} is replaced, and its contents are lost.`,
      'Back it up first.',
    ),
    !target.user.administrator &&
      existing.role !== null &&
      existing.role < accessLevels.owner &&
      blocker(
        'target-not-replaceable',
        `${target.user.username} is not an owner of ${targetPath} and may not replace it.`,
        'Have an owner raise the role, or choose another path.',
      ),
  ]);
}

/** Returns the account's role at the source; null if not reported. */
export const sourceRole = (source: SourceProjectFacts, { user }: SideFacts): number | null =>
  user.administrator || source.ownedByUser ? accessLevels.owner : source.role;

function exportFindings(
  { sourcePath, hasExportJob }: ProjectFacts,
  source: SourceProjectFacts,
  { source: side, draft }: Facts,
): (FindingDetails | false)[] {
  const { settings, user } = side;
  const role = sourceRole(source, side) ?? accessLevels.owner;
  const limit = settings?.maxExportBytes ?? 0;
  const size = source.storageBytes ?? source.repositoryBytes ?? 0;
  return [
    role < accessLevels.maintainer &&
      blocker(
        'source-role-too-low',
        `${user.username} is not a Maintainer of ${sourcePath} and may not export it.`,
        'Have an owner raise the role, or leave the project out.',
      ),
    draft.freeze &&
      role >= accessLevels.maintainer &&
      role < accessLevels.owner &&
      blocker(
        'source-not-owner',
        `${user.username} is not an Owner of ${sourcePath} and may not mark it as archived.`,
        'Have the role raised, or migrate without archiving the sources first.',
      ),
    source.markedForDeletionOn !== null &&
      warning(
        'source-pending-deletion',
        `${sourcePath} has been marked for deletion since ${source.markedForDeletionOn}; it is imported under its current name.`,
        'Restore it first, or leave it out.',
      ),
    limit > 0 &&
      size > limit &&
      blocker(
        'export-too-large',
        `${sourcePath} has ${formatBytes(size)}, and ${side.name} exports at most ${formatBytes(limit)}.`,
        'An administrator can raise the maximum export size.',
      ),
    !hasExportJob &&
      inProgressStates.includes(source.exportState ?? '') &&
      warning(
        'export-under-way',
        `Another export of ${sourcePath} is in progress; GitLab refuses a new one until it ends.`,
        'Start after it has ended, or start now: Packhorse waits for it.',
      ),
  ];
}

/**
 * Returns one finding for each kind of problem in the newest archive, because the next archive will have the same
 * problems.
 */
function newestArchiveFindings({ lint }: ProjectFacts): (FindingDetails | false)[] {
  if (lint === null) return [];
  const serious = lint.findings.filter(
    ({ severity, code }) => severity !== 'info' && !migrationWideCodes.includes(code),
  );
  const ofArchive = [...Map.groupBy(serious, ({ code }) => code)].map(
    ([code, [first, ...more]]): FindingDetails => {
      const others = more.length === 0 ? '' : ` It shows ${more.length} more of the same kind.`;
      const place = typeof first?.place === 'string' ? ` (${first.place})` : '';
      // This is no blocker, because the next export may not have the problem.
      const message = `Its newest archive shows${place}: ${first?.message ?? ''}${others}`;
      return warning(`archive-${code}`, message, first?.fix ?? '');
    },
  );
  return [
    ...ofArchive,
    !lint.recordsRead &&
      warning(
        'archive-records-not-read',
        'The records of its newest archive could not be read, so their problems are not known.',
        'Verify the archive, then check again.',
      ),
    lint.more > 0 &&
      warning(
        'archive-findings-cut',
        `Its newest archive shows ${lint.more} more problems than the check can list; the least severe are left out.`,
        'Check the archive before you import it: no export of GitLab has so many.',
      ),
  ];
}

/** Codes that are reported once for the whole migration. */
const migrationWideCodes = ['target-older', 'import-too-large', 'members-missing'];

const inProgressStates = ['queued', 'started', 'regeneration_in_progress'];

function changedSettingFindings(
  { placement }: ProjectFacts,
  source: SourceProjectFacts,
  { draft, namespacesByPath, target }: Facts,
): (FindingDetails | false)[] {
  const overrides = { ...draft.overrideParams, ...placement.overrideParams };
  const place = namespacesByPath.get(placement.namespace.toLowerCase());
  const visibility = overrides['visibility'] ?? source.visibility;
  const limits = {
    group: place?.visibility ?? null,
    restricted: target.settings?.restrictedVisibilities ?? [],
  };
  const imported = visibility === null ? null : importedVisibility(visibility, limits);
  const isByGroup = imported === limits.group;
  return [
    imported !== visibility &&
      warning(
        'visibility-lowered',
        `It is ${visibility}, but ${isByGroup ? placement.namespace : target.name} does not allow that, so it becomes ${imported}.`,
        isByGroup
          ? 'Raise the visibility of the group first, or accept the lower visibility; it can be changed later.'
          : 'Allow this visibility in the settings of the instance first, or accept the lower visibility; it can be changed later.',
      ),
    source.sharedRunnersEnabled === true &&
      place?.sharedRunners?.startsWith('disabled') === true &&
      overrides['shared_runners_enabled'] !== 'false' &&
      warning(
        'shared-runners',
        `It uses shared runners, which ${placement.namespace} does not allow; in older versions of GitLab, the import then fails.`,
        'Give it the override shared_runners_enabled=false.',
      ),
    source.archived &&
      !draft.freeze &&
      info(
        'source-archived',
        'It is archived on the source, and will also be archived on the target.',
        'Unarchive it on the target afterwards if people work on it.',
      ),
  ];
}

/** Reports the parts of a project that no export contains. The finding never blocks a migration. */
function notExportedFinding({ extras }: SourceProjectFacts): FindingDetails {
  const countTexts = notExportedKinds.flatMap((kind) => {
    const count = extras[kind];
    return count === null || count === 0
      ? []
      : [`${count} ${countedParts[kind][count === 1 ? 'one' : 'many']}`];
  });
  const unknown = notExportedKinds.filter((kind) => extras[kind] === null && kind !== 'pages');
  const nothingCountedText =
    unknown.length < notExportedKinds.length - 1
      ? 'As far as can be counted, the export leaves nothing out'
      : 'The parts that an export leaves out could not be counted';
  const uncountedText =
    unknown.length === 0
      ? ''
      : `; ${unknown.map((kind) => countedParts[kind].many).join(', ')} could not be counted`;
  return info(
    'not-carried',
    `${countTexts.length === 0 ? nothingCountedText : `An export does not carry ${countTexts.join(', ')}`}${uncountedText}. ${uncountedSentences.join(' ')}`,
    (extras.registry_repositories ?? 0) > 0
      ? 'Set them up again on the target; pull the images and push them there; run pipelines again.'
      : 'Set up on the target what is needed, and run pipelines again.',
  );
}
