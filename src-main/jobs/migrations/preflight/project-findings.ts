/**
 * @file Obstacles to migrating one project, and the parts of it that will not arrive (gitlab-facts 5 to 7 and 12).
 * Pure.
 */
import { extraKinds, type ExtraKind } from '../../../../src-contract/migrations/migration.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { accessLevels } from './access-levels.ts';
import { isSame, type Facts, type ProjectFacts, type SideFacts, type SourceFacts } from './facts.ts';
import { ofProject, type Found } from './found.ts';
import { userNamespaceAbove } from './place-findings.ts';

export function projectFindings(facts: Facts): Found[] {
  return facts.projects.flatMap((project) => {
    const about = (said: Parameters<typeof ofProject>[1]): Found => ofProject(project.sourcePath, said);
    const { source } = project;
    return [
      ...placing(project, facts).map(about),
      ...lintOfStored(project).map(about),
      ...(source === null
        ? [about(absence(project))]
        : [...exporting(project, source, facts), ...changing(project, source, facts), uncarried(source)].map(
            about,
          )),
    ];
  });
}

type FindingText = Parameters<typeof ofProject>[1];

function absence({ sourcePath, unreadable }: ProjectFacts): FindingText {
  if (unreadable !== null) {
    return {
      code: 'source-unreadable',
      severity: 'blocker',
      message: `The source cannot show ${sourcePath}: ${unreadable}`,
      advice: 'Have an administrator find out why GitLab cannot show this project, or leave it out.',
    };
  }
  return {
    code: 'source-missing',
    severity: 'blocker',
    message: `${sourcePath} is no longer on the source, or the account cannot see it.`,
    advice: 'Leave it out, or find its new place.',
  };
}

function placing(
  { conflicts, taken, placement, sourcePath }: ProjectFacts,
  { source, target, places }: Facts,
): FindingText[] {
  const wanted = `${placement.namespace}/${placement.path}`;
  const findings: FindingText[] =
    conflicts.length === 0
      ? []
      : [
          {
            code: 'place-impossible',
            severity: 'blocker',
            message: conflicts.join(' '),
            advice: 'Give it another group or path.',
          },
        ];
  const person = userNamespaceAbove(placement.namespace, places);
  if (person !== null) {
    findings.push({
      code: 'group-below-person',
      severity: 'blocker',
      message: `It cannot go to ${wanted}: ${person} is a personal namespace, which cannot contain groups.`,
      advice: `Choose another place: ${person} itself, or a group.`,
    });
  }
  if (taken === null) return findings;
  if (isSame(source, target) && taken.fullPath.toLowerCase() === sourcePath.toLowerCase()) {
    findings.push({
      code: 'target-is-source',
      severity: 'blocker',
      message: `${wanted} is the project itself.`,
      advice: 'Choose another group or path.',
    });
    return findings;
  }
  if (taken.fullPath.toLowerCase() !== wanted.toLowerCase()) {
    findings.push({
      code: 'target-redirect',
      severity: 'warning',
      message: `${wanted} leads to ${taken.fullPath}, which had that path before. The new project takes over the address.`,
      advice: 'Links to the old address will open the new project. Choose another path where that matters.',
    });
    return findings;
  }
  if (taken.markedForDeletionOn !== null) {
    findings.push({
      code: 'target-pending-deletion',
      severity: 'blocker',
      message: `The project at ${wanted} has been marked for deletion since ${taken.markedForDeletionOn}; it keeps its path until it is gone.`,
      advice: 'Delete it permanently, or choose another path.',
    });
    return findings;
  }
  if (!placement.overwrite) {
    findings.push({
      code: 'target-taken',
      severity: 'blocker',
      message: `There is already a project at ${wanted}.`,
      advice:
        'Choose another path, leave the project out, or let it be replaced. An override alone does not help: while it is there, the import is refused.',
    });
    return findings;
  }
  findings.push({
    code: 'target-replaced',
    severity: 'warning',
    message: `The project at ${wanted} is replaced, and its contents are lost.`,
    advice: 'Back it up first.',
  });
  if (!target.user.administrator && taken.role !== null && taken.role < accessLevels.owner) {
    findings.push({
      code: 'target-not-replaceable',
      severity: 'blocker',
      message: `${target.user.username} is not an owner of ${wanted} and may not replace it.`,
      advice: 'Have an owner raise the role, or choose another path.',
    });
  }
  return findings;
}

/** Returns the account's role at the source; null if not reported. */
export const sourceRole = (source: SourceFacts, { user }: SideFacts): number | null =>
  user.administrator || source.ownedByUser ? accessLevels.owner : source.role;

function exporting(
  project: ProjectFacts,
  source: SourceFacts,
  { source: side, draft }: Facts,
): FindingText[] {
  const findings: FindingText[] = [];
  const { settings, user } = side;
  const role = sourceRole(source, side);
  if (role !== null && role < accessLevels.maintainer) {
    findings.push({
      code: 'source-role-too-low',
      severity: 'blocker',
      message: `${user.username} is not a Maintainer of ${project.sourcePath} and may not export it.`,
      advice: 'Have an owner raise the role, or leave the project out.',
    });
  } else if (draft.freeze && role !== null && role < accessLevels.owner) {
    findings.push({
      code: 'source-not-owner',
      severity: 'blocker',
      message: `${user.username} is not an Owner of ${project.sourcePath} and may not mark it as archived.`,
      advice: 'Have the role raised, or move without marking sources.',
    });
  }
  if (source.markedForDeletionOn !== null) {
    findings.push({
      code: 'source-pending-deletion',
      severity: 'warning',
      message: `${project.sourcePath} is marked for deletion since ${source.markedForDeletionOn}; it arrives under its present name.`,
      advice: 'Restore it first, or leave it out.',
    });
  }
  const limit = settings?.maxExportBytes ?? 0;
  const size = source.storageBytes ?? source.repositoryBytes;
  if (limit > 0 && size !== null && size > limit) {
    findings.push({
      code: 'export-too-large',
      severity: 'blocker',
      message: `${project.sourcePath} has ${formatBytes(size)}, and ${side.name} exports at most ${formatBytes(limit)}.`,
      advice: 'An administrator can raise the largest export size.',
    });
  }
  const { exportState } = source;
  if (!project.exportsHere && exportState !== null && inProgress.includes(exportState)) {
    findings.push({
      code: 'export-under-way',
      severity: 'warning',
      message: `Another export of ${project.sourcePath} is in progress; GitLab refuses a new one until it ends.`,
      advice: 'Start after it has ended, or start now: Packhorse waits for it.',
    });
  }
  return findings;
}

/** The next archive will have the same problems as the newest one: returns one finding for each kind. */
function lintOfStored({ lint }: ProjectFacts): FindingText[] {
  const serious = lint.filter(({ severity, code }) => severity !== 'info' && !ofMigration.includes(code));
  return [...Map.groupBy(serious, ({ code }) => code)].map(([code, [first, ...more]]): FindingText => {
    const others = more.length === 0 ? '' : ` The same holds for ${more.length} more.`;
    const place = typeof first?.place === 'string' ? ` (${first.place})` : '';
    return {
      code: `archive-${code}`,
      // The next export may not have the problem.
      severity: 'warning',
      message: `Its newest archive shows${place}: ${first?.message ?? ''}${others}`,
      advice: first?.fix ?? '',
    };
  });
}

/** A finding about the whole migration covers these. */
const ofMigration = ['target-older', 'import-too-large', 'members-missing'];

const inProgress = ['queued', 'started', 'regeneration_in_progress'];

const openness = ['private', 'internal', 'public'];

/** Reports what will change on the target. */
function changing({ placement }: ProjectFacts, source: SourceFacts, facts: Facts): FindingText[] {
  const findings: FindingText[] = [];
  const { draft, places, target } = facts;
  const overrides = { ...draft.overrideParams, ...placement.overrideParams };
  const place = places.get(placement.namespace.toLowerCase());
  const wanted = overrides['visibility'] ?? source.visibility;
  const most = place?.visibility ?? null;
  const restricted =
    wanted !== null &&
    !target.user.administrator &&
    target.settings?.restrictedVisibilities.includes(wanted) === true;
  if (wanted !== null && most !== null && openness.indexOf(wanted) > openness.indexOf(most)) {
    findings.push({
      code: 'visibility-lowered',
      severity: 'warning',
      message: `It is ${wanted}, and ${placement.namespace} is ${most}: it becomes ${most}.`,
      advice: 'Open the group first, or accept it; it can be changed later.',
    });
  } else if (restricted) {
    findings.push({
      code: 'visibility-lowered',
      severity: 'warning',
      message: `It is ${wanted}, which ${target.name} allows administrators only.`,
      advice: 'Accept that it becomes less visible, or use an administrator’s token.',
    });
  }
  if (
    source.sharedRunnersEnabled === true &&
    place?.sharedRunners?.startsWith('disabled') === true &&
    overrides['shared_runners_enabled'] !== 'false'
  ) {
    findings.push({
      code: 'shared-runners',
      severity: 'warning',
      message: `It uses shared runners, which ${placement.namespace} does not allow; older versions of GitLab fail the import over this.`,
      advice: 'Give it the override shared_runners_enabled=false.',
    });
  }
  if (source.archived && !facts.draft.freeze) {
    findings.push({
      code: 'source-archived',
      severity: 'info',
      message: 'It is marked as archived on the source, and will be on the target.',
      advice: 'Unarchive it on the target afterwards if people work on it.',
    });
  }
  return findings;
}

const extraWords: Record<ExtraKind, [one: string, many: string]> = {
  variables: ['CI/CD variable', 'CI/CD variables'],
  hooks: ['webhook', 'webhooks'],
  deploy_keys: ['deploy key', 'deploy keys'],
  triggers: ['pipeline trigger', 'pipeline triggers'],
  registry_repositories: ['container image repository', 'container image repositories'],
  packages: ['package', 'packages'],
  environments: ['environment', 'environments'],
  pages: ['Pages site', 'Pages sites'],
  secure_files: ['secure file', 'secure files'],
  mirrors: ['push mirror', 'push mirrors'],
};

/** Reports what no export carries. This never prevents a migration. */
function uncarried({ extras }: SourceFacts): FindingText {
  const counted = extraKinds.flatMap((kind) => {
    const count = extras[kind];
    return count === null || count === 0 ? [] : [`${count} ${extraWords[kind][count === 1 ? 0 : 1]}`];
  });
  const unknown = extraKinds.filter((kind) => extras[kind] === null && kind !== 'pages');
  const none =
    unknown.length < extraKinds.length - 1
      ? 'As far as can be counted, the export leaves nothing out'
      : 'The parts that an export leaves out could not be counted';
  const hidden =
    unknown.length === 0
      ? ''
      : `; ${unknown.map((kind) => extraWords[kind][1]).join(', ')} could not be counted`;
  return {
    code: 'not-carried',
    severity: 'info',
    message: `${counted.length === 0 ? none : `An export does not carry ${counted.join(', ')}`}${hidden}. Job logs and artifacts, issue links, the job token allowlist, variables of schedules and required approvals stay behind, too.`,
    advice:
      (extras.registry_repositories ?? 0) > 0
        ? 'Set them up again on the target; pull the images and push them there; run pipelines again.'
        : 'Set up on the target what is needed, and run pipelines again.',
  };
}
