/** @file Obstacles to a migration in the instances and their accounts (gitlab-facts 4, 7, 9 and 12). Pure. */
import { isSameInstance, type Facts, type Side, type SideFacts } from './facts.ts';
import {
  keepApplicable,
  blocker,
  info,
  projectFinding,
  migrationFinding,
  warning,
  type RuleFinding,
  type FindingDetails,
} from './rule-finding.ts';
import { acceptsLegacyLayout } from '../../../../src-contract/archives/legacy-layout.ts';
import { compareReleases, minorsBetween, releaseOf } from '../../../../src-contract/instances/releases.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';

const sides: readonly Side[] = ['source', 'target'];

export function sideFindings(facts: Facts): RuleFinding[] {
  return [
    ...sameInstance(facts),
    ...versionFindings(facts),
    ...sides.flatMap((side) =>
      keepApplicable(tokenRules(side, facts[side], facts)).map((rule) => migrationFinding(rule)),
    ),
    ...settingFindings(facts),
    ...userFindings(facts),
    ...diskFindings(facts),
  ];
}

/** Warns that both sides are the same instance, which is allowed but usually a mistake. */
function sameInstance({ source, target }: Facts): RuleFinding[] {
  if (!isSameInstance(source, target)) return [];
  return [
    migrationFinding(
      warning(
        'same-instance',
        `Source and target are the same instance (${source.url}): each project will exist twice.`,
        'Choose another target if that is not intended; GitLab moves projects within an instance by a transfer.',
      ),
    ),
  ];
}

/** GitLab supports an import only into the same or a newer version, at most this many minor releases newer. */
const supportedMinors = 2;

function versionFindings({ source, target }: Facts): RuleFinding[] {
  const sourceRelease = releaseOf(source.version);
  const targetRelease = releaseOf(target.version);
  if (sourceRelease === null || targetRelease === null) {
    const unknown = sourceRelease === null ? source : target;
    return [
      migrationFinding(
        info(
          'version-unknown',
          `${unknown.name} does not report its version, so the two versions cannot be compared.`,
          'Ask its administrators. The target should have the version of the source, or a slightly newer one.',
        ),
      ),
    ];
  }
  const [sourceVersion, targetVersion] = [source.version ?? '', target.version ?? ''];
  const isOlder = compareReleases(targetRelease, sourceRelease) < 0;
  return keepApplicable([
    isOlder &&
      warning(
        'target-older',
        `${target.name} is ${targetVersion}, older than ${source.name} with ${sourceVersion}. Data that only the newer version knows is lost.`,
        'Update the target first. GitLab accepts such an import, but does not support it.',
      ),
    !isOlder &&
      minorsBetween(sourceRelease, targetRelease) > supportedMinors &&
      warning(
        'versions-far-apart',
        `${source.name} is ${sourceVersion} and ${target.name} is ${targetVersion}: GitLab supports at most ${supportedMinors} minor releases between them.`,
        'Try one project first and check its reconciliation, or update the source.',
      ),
    compareReleases(sourceRelease, { major: 13, minor: 0 }) < 0 &&
      acceptsLegacyLayout(target.version) === false &&
      blocker(
        'layout-refused',
        `${source.name} (${sourceVersion}) exports in a layout that GitLab 15.11 and newer refuse.`,
        'Update the source to 13.0 or newer, or migrate through an instance with a version between the two.',
      ),
    compareReleases(sourceRelease, { major: 17, minor: 2 }) < 0 &&
      info(
        'source-before-17-2',
        `${source.name} (${sourceVersion}) does not list uploaded files, so the files cannot be compared one by one.`,
        'They are counted in the archive instead.',
      ),
    compareReleases(targetRelease, { major: 16, minor: 11 }) < 0 &&
      info(
        'target-before-16-11',
        `${target.name} (${targetVersion}) cannot import one relation again: a failed relation can only be repaired by a new import of the project.`,
        'Update the target to 16.11 or newer to be able to retry.',
      ),
  ]).map((rule) => migrationFinding(rule));
}

function tokenRules(
  side: Side,
  { name, token, user }: SideFacts,
  { now, endsAt }: Facts,
): (FindingDetails | false)[] {
  const expiresAt = Date.parse(`${token?.expiresOn ?? ''}T00:00:00Z`);
  return [
    side === 'target' &&
      user.bot &&
      blocker(
        'bot-cannot-import',
        `${user.username} on ${name} is the bot of a group or project token; GitLab does not let bots import.`,
        'Use the personal access token of a user who is at least Maintainer of the groups.',
      ),
    token !== null &&
      !token.scopes.includes('api') &&
      blocker(
        `${side}-token-scope`,
        `The token of ${name} lacks the scope "api"; it may not ${side === 'source' ? 'request exports' : 'import'}.`,
        `Create a token with the scope "api" and set it: packhorse instance add, or "Change token" at the instance.`,
      ),
    token !== null &&
      expiresAt <= (endsAt ?? now) &&
      warning(
        `${side}-token-expires`,
        `The token of ${name} expires on ${token.expiresOn ?? ''}; ${endsAt === null ? 'that day has begun' : 'the last wave is expected to end later'}.`,
        'Rotate it before the start.',
      ),
  ];
}

function settingFindings({ source, target, projects }: Facts): RuleFinding[] {
  const { settings } = target;
  const limit = settings?.maxImportBytes ?? 0;
  const tooLarge = projects.filter(({ archiveBytes }) => limit > 0 && (archiveBytes ?? 0) > limit);
  const rules = [
    source.settings?.exportEnabled === false &&
      blocker(
        'export-disabled',
        `Exports are switched off on ${source.name}.`,
        'An administrator can allow them: Admin, Settings, General, Import and export settings.',
      ),
    settings?.importSources?.includes('gitlab_project') === false &&
      blocker(
        'import-disabled',
        `${target.name} does not accept imports from export files. Since 16.0, new instances do not accept them by default.`,
        'An administrator can allow them: Admin, Settings, General, Import and export settings.',
      ),
    (settings?.importSources ?? null) === null &&
      info(
        'settings-unknown',
        `It is not known whether ${target.name} accepts imports from files, and up to which size: GitLab shows this only to administrators.`,
        'Ask one of its administrators, or try one small project first.',
      ),
  ];
  return [
    ...keepApplicable(rules).map((rule) => migrationFinding(rule)),
    ...tooLarge.map(({ sourcePath, archiveBytes }) =>
      projectFinding(
        sourcePath,
        blocker(
          'import-too-large',
          `Its newest archive has ${formatBytes(archiveBytes ?? 0)}, and ${target.name} accepts at most ${formatBytes(limit)}.`,
          'An administrator can raise the maximum import size.',
        ),
      ),
    ),
  ];
}

function userFindings({ target, projects }: Facts): RuleFinding[] {
  const { user, name } = target;
  if (!user.administrator) {
    const members = projects.reduce((sum, { source }) => sum + (source?.members?.total ?? 0), 0);
    return [
      migrationFinding(
        warning(
          'users-not-mapped',
          `${user.username} is not an administrator of ${name}: GitLab will make ${user.username} the author of everything and import no members${members === 0 ? '' : ` (${members} memberships in these projects)`}.`,
          'With an administrator’s token GitLab maps users by their e-mail address. Otherwise add the members afterwards.',
        ),
      ),
    ];
  }
  const withoutEmail = projects.reduce(
    (sum, { source }) => sum + (source?.members ? source.members.total - source.members.withEmail : 0),
    0,
  );
  if (withoutEmail === 0) return [];
  return [
    migrationFinding(
      warning(
        'members-without-email',
        `${withoutEmail} of the memberships on the source belong to users without a public e-mail address; GitLab cannot map these users.`,
        'Have an administrator of the source set the public e-mail address of these users before the export.',
      ),
    ),
  ];
}

function diskFindings({ freeBytes, projects }: Facts): RuleFinding[] {
  if (freeBytes === null) return [];
  const needed = projects.reduce(
    (sum, { archiveBytes, source }) =>
      sum + (archiveBytes ?? source?.storageBytes ?? source?.repositoryBytes ?? 0),
    0,
  );
  if (needed <= freeBytes) return [];
  return [
    migrationFinding(
      blocker(
        'disk-too-small',
        `The archives may need ${formatBytes(needed)}, but only ${formatBytes(freeBytes)} is free in the archive folder.`,
        'Free some space, store archives on another disk, or move fewer projects at once.',
      ),
    ),
  ];
}
