/** @file Obstacles to a migration in the instances and their accounts (gitlab-facts 4, 7, 9 and 12). Pure. */
import { isSame, type Facts, type Side, type SideFacts } from './facts.ts';
import { ofProject, overall, type Found } from './found.ts';
import { acceptsLegacyLayout } from '../../../../src-contract/archives/legacy-layout.ts';
import { compareReleases, minorsBetween, releaseOf } from '../../../../src-contract/instances/releases.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';

const sides: readonly Side[] = ['source', 'target'];

export function sideFindings(facts: Facts): Found[] {
  return [
    ...sameInstance(facts),
    ...versionFindings(facts),
    ...sides.flatMap((side) => [...tokenFindings(side, facts[side], facts)]),
    ...settingFindings(facts),
    ...userFindings(facts),
    ...diskFindings(facts),
  ];
}

/** Allowed, but more often a mistake than intended. */
function sameInstance({ source, target }: Facts): Found[] {
  if (!isSame(source, target)) return [];
  return [
    overall({
      code: 'same-instance',
      severity: 'warning',
      message: `Source and target are the same instance (${source.url}): each project will exist twice.`,
      advice:
        'Choose another target if that is not intended; GitLab moves projects within an instance by a transfer.',
    }),
  ];
}

/**
 * GitLab's documentation supports no import from a newer into an older version, and at most this many minor releases
 * between them.
 */
const supportedMinors = 2;

function versionFindings({ source, target }: Facts): Found[] {
  const from = releaseOf(source.version);
  const to = releaseOf(target.version);
  if (from === null || to === null) {
    const unknown = from === null ? source : target;
    return [
      overall({
        code: 'version-unknown',
        severity: 'info',
        message: `${unknown.name} does not report its version, so the two cannot be compared.`,
        advice: 'Ask its administrators; the target should be as new as the source, or slightly newer.',
      }),
    ];
  }
  const [was, is] = [source.version ?? '', target.version ?? ''];
  const found: Found[] = [];
  if (compareReleases(to, from) < 0) {
    found.push(
      overall({
        code: 'target-older',
        severity: 'warning',
        message: `${target.name} is ${is}, older than ${source.name} with ${was}. Data that only the newer version knows is lost.`,
        advice: 'Update the target first. GitLab accepts such an import, but does not support it.',
      }),
    );
  } else if (minorsBetween(from, to) > supportedMinors) {
    found.push(
      overall({
        code: 'versions-far-apart',
        severity: 'warning',
        message: `${source.name} is ${was} and ${target.name} is ${is}: GitLab supports at most ${supportedMinors} minor releases between them.`,
        advice: 'Try one project first and check its reconciliation, or update the source.',
      }),
    );
  }
  if (compareReleases(from, { major: 13, minor: 0 }) < 0 && acceptsLegacyLayout(target.version) === false) {
    found.push(
      overall({
        code: 'layout-refused',
        severity: 'blocker',
        message: `${source.name} (${was}) exports in a layout that GitLab 15.11 and newer refuse.`,
        advice: 'Update the source to 13.0 or newer, or go through an instance between the two.',
      }),
    );
  }
  if (compareReleases(from, { major: 17, minor: 2 }) < 0) {
    found.push(
      overall({
        code: 'source-before-17-2',
        severity: 'info',
        message: `${source.name} (${was}) does not list uploaded files, so the files cannot be compared one by one.`,
        advice: 'They are counted in the archive instead.',
      }),
    );
  }
  if (compareReleases(to, { major: 16, minor: 11 }) < 0) {
    found.push(
      overall({
        code: 'target-before-16-11',
        severity: 'info',
        message: `${target.name} (${is}) cannot import one relation again: a failed relation can only be repaired by a new import of the project.`,
        advice: 'Update the target to 16.11 or newer to be able to retry.',
      }),
    );
  }
  return found;
}

function tokenFindings(side: Side, { name, token, user }: SideFacts, facts: Facts): Found[] {
  const found: Found[] = [];
  if (side === 'target' && user.bot) {
    found.push(
      overall({
        code: 'bot-cannot-import',
        severity: 'blocker',
        message: `${user.username} on ${name} is the bot of a group or project token; GitLab does not let bots import.`,
        advice: 'Use the personal access token of a user who is at least Maintainer of the groups.',
      }),
    );
  }
  if (token === null) return found;
  if (!token.scopes.includes('api')) {
    found.push(
      overall({
        code: `${side}-token-scope`,
        severity: 'blocker',
        message: `The token of ${name} lacks the scope "api"; it may not ${side === 'source' ? 'ask for exports' : 'import'}.`,
        advice: `Create one with the scope "api" and give it: packhorse instance add, or "Change token" at the instance.`,
      }),
    );
  }
  const endsAt = token.expiresOn === null ? null : Date.parse(`${token.expiresOn}T00:00:00Z`);
  if (endsAt !== null && endsAt <= (facts.endsAt ?? facts.now)) {
    found.push(
      overall({
        code: `${side}-token-expires`,
        severity: 'warning',
        message: `The token of ${name} expires on ${token.expiresOn ?? ''}; the last wave is expected to end later.`,
        advice: 'Rotate it before the start.',
      }),
    );
  }
  return found;
}

function settingFindings({ source, target, projects }: Facts): Found[] {
  const found: Found[] = [];
  if (source.settings?.exportEnabled === false) {
    found.push(
      overall({
        code: 'export-disabled',
        severity: 'blocker',
        message: `Exports are switched off on ${source.name}.`,
        advice: 'An administrator can allow them: Admin, Settings, General, Import and export settings.',
      }),
    );
  }
  const { settings } = target;
  if (settings?.importSources?.includes('gitlab_project') === false) {
    found.push(
      overall({
        code: 'import-disabled',
        severity: 'blocker',
        message: `${target.name} does not accept imports from export files. New instances do not since 16.0.`,
        advice: 'An administrator can allow them: Admin, Settings, General, Import and export settings.',
      }),
    );
  }
  const known = settings?.importSources ?? null;
  if (known === null) {
    found.push(
      overall({
        code: 'settings-unknown',
        severity: 'info',
        message: `It is not known whether ${target.name} accepts imports from files, and of which size: GitLab tells only administrators.`,
        advice: 'Ask one of its administrators, or try one small project first.',
      }),
    );
  }
  const limit = settings?.maxImportBytes ?? 0;
  const tooLarge = projects.filter(({ archiveBytes }) => limit > 0 && (archiveBytes ?? 0) > limit);
  for (const { sourcePath, archiveBytes } of tooLarge) {
    found.push(
      ofProject(sourcePath, {
        code: 'import-too-large',
        severity: 'blocker',
        message: `Its newest archive has ${formatBytes(archiveBytes ?? 0)}, and ${target.name} accepts at most ${formatBytes(limit)}.`,
        advice: 'An administrator can raise the largest import size.',
      }),
    );
  }
  return found;
}

function userFindings({ target, projects }: Facts): Found[] {
  const { user, name } = target;
  if (!user.administrator) {
    const members = projects.reduce((sum, { source }) => sum + (source?.members?.total ?? 0), 0);
    return [
      overall({
        code: 'users-not-mapped',
        severity: 'warning',
        message: `${user.username} is no administrator of ${name}: GitLab will name ${user.username} as the author of everything, and imports no members${members === 0 ? '' : ` (${members} memberships in these projects)`}.`,
        advice:
          'With an administrator’s token GitLab maps users by their e-mail address. Otherwise add the members afterwards.',
      }),
    ];
  }
  const without = projects.reduce(
    (sum, { source }) => sum + (source?.members ? source.members.total - source.members.withEmail : 0),
    0,
  );
  if (without === 0) return [];
  return [
    overall({
      code: 'members-without-email',
      severity: 'warning',
      message: `${without} of the memberships on the source are of users without a public e-mail address; GitLab cannot map those.`,
      advice:
        'Have an administrator of the source set the public e-mail address of these users before the export.',
    }),
  ];
}

function diskFindings({ freeBytes, projects }: Facts): Found[] {
  if (freeBytes === null) return [];
  const needed = projects.reduce(
    (sum, { archiveBytes, source }) =>
      sum + (archiveBytes ?? source?.storageBytes ?? source?.repositoryBytes ?? 0),
    0,
  );
  if (needed <= freeBytes) return [];
  return [
    overall({
      code: 'disk-too-small',
      severity: 'blocker',
      message: `The archives may need ${formatBytes(needed)}, and ${formatBytes(freeBytes)} are free where they are stored.`,
      advice: 'Free some space, store archives on another disk, or move fewer projects at once.',
    }),
  ];
}
