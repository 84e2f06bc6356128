/** @file Calls about the failures of imports: each failure, its cause, and its state. */
import { AppError } from '../../../src-contract/errors.ts';
import type { RecordAbsence } from '../../../src-contract/migrations/failure.ts';
import { meaningOf } from '../../../src-contract/migrations/failure-meanings.ts';
import type { RecordView } from '../../../src-contract/archives/record.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';

/** Errors that make the record of a failure unavailable. The failure is still shown, without its record. */
const unreadableCodes: readonly string[] = ['archive-missing', 'archive-corrupt', 'archive-unsafe'];

export function failureHandlers(services: Services) {
  const recordOf = async (
    archive: string | null,
    { relation, line }: { relation: string | null; line: number | null },
    signal: AbortSignal,
  ): Promise<RecordView | RecordAbsence> => {
    if (relation === null || line === null) return 'no-line';
    if (archive === null) return 'no-archive';
    try {
      const { path } = await services.archives.resolve(archive);
      return await services.records.view(path, { relation, line }, signal);
    } catch (thrown) {
      const { code } = AppError.from(thrown);
      if (code === 'record-missing') return 'no-such-line';
      if (unreadableCodes.includes(code)) return 'no-archive';
      throw thrown;
    }
  };
  return {
    'migration.retry': async (request, { signal }) => {
      const { target } = services.migrations.show(request.migration);
      await services.checks.assertMayWrite(services.instances.get(target), signal);
      return services.retrying.start(request, signal);
    },
    'migration.repairs': ({ migration, project }, { signal }) =>
      services.repairing.plan(migration, project, signal),
    'migration.repair': async ({ migration, project, differences }, { signal }) => {
      const { target } = services.migrations.show(migration);
      await services.checks.assertMayWrite(services.instances.get(target), signal);
      return services.repairing.start(migration, project, differences, signal);
    },
    'failure.list': (request) => {
      const { groups, ...found } = services.failures.list(request);
      return {
        ...found,
        groups: groups.map((group) => ({ ...group, ...meaningOf(group.exceptionClass) })),
      };
    },
    'failure.show': async ({ failure: ref }, { signal }) => {
      const { failure, archivePath } = services.failures.get(ref);
      const stored = await recordOf(failure.archiveId, failure, signal);
      const found = stored === 'no-archive' ? await recordOf(archivePath, failure, signal) : stored;
      const [view, recordAbsence] = typeof found === 'string' ? [null, found] : [found, null];
      const { relation, line, text, truncated, value } = view ?? {};
      return {
        failure,
        ...meaningOf(failure.exceptionClass),
        record:
          relation === undefined || line === undefined || text === undefined || truncated === undefined
            ? null
            : { relation, line, text, truncated, value },
        recordAbsence,
        findings: view?.suspicions ?? [],
        notLookedFor: view?.notLookedFor ?? [],
        sourceUrl: view?.url ?? null,
      };
    },
    'failure.settle': ({ failures, state, note }) => {
      if (state === 'accepted' && (note === null || note === '')) {
        throw new AppError('invalid-input', 'Give the reason for accepting the losses in a note.');
      }
      return {
        changed: services.failures.setState(failures, state, state === 'open' ? null : note),
      };
    },
  } satisfies Partial<Handlers>;
}
