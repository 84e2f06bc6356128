/** @file Creates and saves the passports of a migration, or of one of its projects. */
import type { CallReply } from '../../../../src-contract/calls.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import {
  passportIndexSchema,
  type PassportIndex,
} from '../../../../src-contract/migrations/passport-schema.ts';
import { datedFolderName, projectFileName } from '../../../archive/names.ts';
import { isoTime } from '../../../platform/clock.ts';
import {
  collectPassport,
  jobRecord,
  MigrationHistory,
  requestsOf,
  instanceInfo,
  type CollectingDeps,
} from './collecting.ts';
import { indexPage, indexCsv } from './index-page.ts';
import { passportPage } from './page.ts';
import { saveFolder, type FileToSave } from './saving.ts';
import { withoutSecrets } from './secrets.ts';
import { findMigrationProject } from '../placement/find-migration-project.ts';
import type { DataPaths } from '../../../platform/paths.ts';
import { appVersion } from '../../version.ts';
import type { Migrations } from '../migrations.ts';

export interface PassportDeps extends CollectingDeps {
  migrations: Migrations;
  paths: DataPaths;
}

/**
 * Saves passports. `project` is null for all projects; `to` is null for the downloads folder. Throws `invalid-input`,
 * `disk-…`.
 */
export type SavePassports = (
  migration: string,
  project: string | null,
  to: string | null,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
) => Promise<CallReply<'migration.passport'>>;

export function createPassportSaver(deps: PassportDeps): SavePassports {
  return async (reference, projectReference, to, signal, onProgress) => {
    const stored = deps.projectMigrations.get(reference);
    const onlySourceId =
      projectReference === null
        ? null
        : findMigrationProject(deps.projectMigrations, stored.id, projectReference).sourceId;
    const projects = deps.migrations
      .projects(stored.id)
      .filter(({ sourceId }) => onlySourceId === null || sourceId === onlySourceId);
    const history = new MigrationHistory(deps, stored.id);
    const at = deps.clock.now();

    async function* files(): AsyncGenerator<FileToSave> {
      const rows: PassportIndex['projects'] = [];
      for (const [done, project] of projects.entries()) {
        onProgress(done, projects.length);
        signal.throwIfAborted();
        const passport = await collectPassport(deps, stored, project, history, signal);
        const name = projectFileName(project.sourcePath, project.sourceId);
        const { sourceId, sourcePath, state, wave, targetPath, targetUrl, missing, changedSince } = project;
        rows.push({
          ...{ sourceId, sourcePath, state, wave, targetPath, targetUrl, missing, changedSince },
          wanted: `${project.placement.namespace}/${project.placement.path}`,
          openFailures: project.failures.open,
          failures: passport.failures.total,
          hasUnlistedFailures: passport.failures.hasUnlisted,
          unlistedFailureCount: passport.failures.unlistedCount,
          error: passport.error === null ? null : errorText(passport.error, 'command-line').what,
          sha256: passport.archive?.sha256 ?? null,
          outcome: passport.outcome,
          reconciled: passport.reconciliation?.reconciled ?? null,
          depth: passport.reconciliation?.depth ?? null,
          accepted: passport.accepted,
          finishes: passport.finishes,
          html: `${name}.html`,
          json: `${name}.json`,
        });
        yield { name: `${name}.html`, text: passportPage(passport) };
        yield { name: `${name}.json`, text: jsonText(passport) };
      }
      onProgress(projects.length, projects.length);
      if (onlySourceId !== null) return;
      const index = passportIndexSchema.parse(withoutSecrets(buildIndex(deps, stored.id, rows, history)));
      yield { name: 'index.html', text: indexPage(index) };
      yield { name: 'index.json', text: jsonText(index) };
      yield { name: 'index.csv', text: indexCsv(index) };
    }

    const subject =
      onlySourceId === null ? stored.draft.name : (projects[0]?.sourcePath.split('/').at(-1) ?? '');
    const folder = datedFolderName(onlySourceId === null ? 'migration' : 'passport', subject, at);
    const saved = await saveFolder(to, deps.paths.downloads, folder, files()).catch((thrown: unknown) => {
      throw AppError.from(signal.aborted ? signal.reason : thrown);
    });
    const first = saved.files.find((file) => file === 'index.html');
    return {
      folder: saved.folder,
      files: first === undefined ? saved.files : [first, ...saved.files.filter((file) => file !== first)],
    };
  };
}

function buildIndex(
  deps: PassportDeps,
  id: string,
  rows: PassportIndex['projects'],
  history: MigrationHistory,
): PassportIndex {
  const { name, createdAt, status, freeze, source, target, projects, comparedInPart } =
    deps.migrations.show(id);
  const others = history.otherJobs();
  return {
    schemaVersion: 1,
    madeAt: isoTime(deps.clock.now()),
    appVersion,
    migration: {
      id,
      name,
      createdAt,
      status,
      freeze,
      source: instanceInfo(deps.settings.instance(source), null),
      target: instanceInfo(deps.settings.instance(target), null),
      ...{ projects, comparedInPart },
    },
    projects: rows,
    jobs: others.map((job) => jobRecord(deps, job)),
    requests: requestsOf(deps, others),
  };
}

/**
 * Returns JSON in which characters that reverse or hide text are escaped: a parser reads the same value, and a person
 * sees them.
 */
function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replace(
    /[\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${text}\n`;
}
