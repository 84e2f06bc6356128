/**
 * @file Pairs of a loss and something else in the same part of a project: another record was added, one occurs twice, or
 * a list lies or is refused. Only the loss is a loss.
 */
import type { FaultAction } from '../../../../src-main/sandbox/faults/fault-kinds.ts';
import type { ProjectEdits } from '../../../../src-main/sandbox/projects/project-edits.ts';
import type { Sandbox } from '../../../../src-main/sandbox/sandbox.ts';
import type { WorkMoment } from '../../../../src-main/sandbox/sandbox-database.ts';
import { oldTimes, parts, type Part } from './recorded-parts.ts';

type SideName = 'source' | 'target';
type Phase = 'export' | 'import';

/** Changes of a project at moments of its migration, by the sandbox that has the project. */
export interface Work {
  side: SideName;
  moment: WorkMoment;
  change: (edits: ProjectEdits, sandbox: Sandbox) => void | Promise<void>;
}

export interface Pair {
  kind: 'lost and added' | 'lost and twice' | 'lost and a false list';
  name: string;
  phase: Phase;
  lose: FaultAction;
  work: readonly Work[];
  /** The fault of a list, if it lies. */
  list: { side: SideName; path: string; action: FaultAction } | null;
  /** Prepares the source before the migration. */
  prepare: (edits: ProjectEdits) => void | Promise<void>;
}

const phases: readonly Phase[] = ['export', 'import'];

type Change = (part: Part) => ((edits: ProjectEdits) => void | Promise<void>) | null;
const place = (change: Work['change'], undo: Work['change']) => ({
  'after the export': [{ side: 'source', moment: 'export-ended', change }] satisfies Work[],
  'after the import': [{ side: 'target', moment: 'import-ended', change }] satisfies Work[],
  'in the archive': [
    { side: 'source', moment: 'export-started', change },
    { side: 'source', moment: 'export-ended', change: undo },
  ] satisfies Work[],
});

const pairsWith = (
  kind: Pair['kind'],
  changeOf: Change,
  isPossible: (part: Part, where: string) => boolean,
): Pair[] =>
  Object.entries(parts).flatMap(([name, part]) => {
    const change = changeOf(part);
    if (change === null) return [];
    return Object.entries(place(change, part.removeLast)).flatMap(([where, work]) =>
      isPossible(part, where)
        ? phases.map((phase): Pair => ({
            ...{ kind, name: `${name} ${where}`, phase, lose: lossBeside(part, where) },
            ...{ work, list: null, prepare: part.prepare },
          }))
        : [],
    );
  });

/** Loses a record that the source still has, and not the one that the archive has in addition. */
const lossBeside = ({ lose }: Part, where: string): FaultAction =>
  where === 'in the archive' && lose.kind === 'drop-records' ? { ...lose, skip: 1 } : lose;

const falseLists: Readonly<Record<string, FaultAction>> = {
  'too large a total': { kind: 'false-list', as: 'total', by: 1 },
  'too small a total': { kind: 'false-list', as: 'total', by: -1 },
  'an empty page': { kind: 'false-list', as: 'empty-page', page: 1 },
  'a hidden row': { kind: 'false-list', as: 'hidden-rows', count: 1 },
  'a refusal': { kind: 'respond', status: 403, body: { message: '403 Forbidden' } },
};
const sides: readonly SideName[] = ['source', 'target'];

const pairsWithFalseList: Pair[] = Object.entries(parts).flatMap(([name, { list, lose, prepare }]) =>
  Object.entries(falseLists).flatMap(([lie, action]) =>
    sides.flatMap((side) =>
      phases.map((phase): Pair => ({
        ...{ kind: 'lost and a false list', name: `${name}, ${lie} on the ${side}`, phase, lose },
        ...{ work: [], prepare },
        list: { side, action, path: `/${list ?? name}\\?.*per_page=100` },
      })),
    ),
  ),
);

/** Lists of more than one page that show a page twice. */
const pairsWithRepeatedPage: Pair[] = (['labels', 'milestones'] as const).flatMap((relation) =>
  sides.flatMap((side) =>
    phases.map((phase): Pair => ({
      ...{ kind: 'lost and a false list', name: `${relation}, a page twice on the ${side}`, phase },
      ...{ lose: { kind: 'drop-records', relation, count: 1 }, work: [] },
      list: {
        side,
        action: { kind: 'false-list', as: 'repeated-page', page: 2 },
        path: `/${relation}\\?.*per_page=100`,
      },
      prepare: (edits) => {
        for (let index = 0; index < 100; index += 1)
          edits.add(relation, { title: `More ${index}`, ...oldTimes });
      },
    })),
  ),
);

export const pairs: readonly Pair[] = [
  ...pairsWith(
    'lost and added',
    (part) => part.add,
    () => true,
  ),
  ...pairsWith(
    'lost and twice',
    (part) => part.copy,
    (part, where) => where === 'in the archive' || (where === 'after the import' && !part.isUnique),
  ),
  ...pairsWithFalseList,
  ...pairsWithRepeatedPage,
];
