/** @file Source, archive and target of a migrated project put together from numbers, names and settings. Pure. */
import type { Comparison, MissingRecord, Reconciliation } from '../../../src-preload/contract/import.ts';
import { judge } from '../importing/reconcile.ts';

/** How many missing records are kept by name. */
const mostNamed = 1000;

/** What one side holds of something that is not listed by name; null where it cannot be told. */
export interface Amount {
  relation: string;
  source: number | null;
  archive: number | null;
  target: number | null;
}

export interface Members {
  /** Null where they may not be read. */
  source: readonly string[] | null;
  archive: readonly string[];
  target: readonly string[] | null;
  /** Of those that the target project lacks: who has an account there. */
  withAccount: ReadonlySet<string>;
  /** Only an administrator's import brings members (gitlab-facts 7). */
  byAdministrator: boolean;
}

/** Only what an account that is no administrator cannot bring is no loss; it is declared. */
export function lostMembers({
  source,
  archive,
  target,
  withAccount,
  byAdministrator,
}: Members): MissingRecord[] {
  const named = (title: string, lost: MissingRecord['lost'], line: number | null): MissingRecord => ({
    relation: 'project_members',
    lost,
    line,
    iid: null,
    title,
    part: null,
  });
  const held = new Set(archive.map(folded));
  const there = new Set(target?.map(folded));
  return [
    ...(source ?? []).filter((name) => !held.has(folded(name))).map((name) => named(name, 'on-export', null)),
    ...(target === null || !byAdministrator
      ? []
      : archive.flatMap((name, line) =>
          there.has(folded(name)) || !withAccount.has(name) ? [] : [named(name, 'on-import', line)],
        )),
  ];
}

const folded = (name: string): string => name.toLowerCase();

/** Attributes of a project that an archive carries and that an instance tells. */
const carried = ['description', 'visibility', 'default_branch'] as const;

type Attributes = Readonly<Record<string, unknown>>;

/** What the target says otherwise than an override, or without one than the source; null: the source is not asked. */
export function differingSettings(
  source: Attributes | null,
  overrides: Readonly<Record<string, string>>,
  target: Attributes,
): Reconciliation['settings'] {
  const expected = new Map<string, string>();
  for (const attribute of carried) {
    const value = source?.[attribute];
    if (typeof value === 'string') expected.set(attribute, value);
  }
  for (const [attribute, value] of Object.entries(overrides)) {
    // GitLab passes over what is blank.
    if (value !== '' && attribute in target) expected.set(attribute, value);
  }
  return [...expected].flatMap(([attribute, wanted]) => {
    const found = plain(target[attribute]);
    return found === null || found === wanted ? [] : [{ attribute, expected: wanted, found }];
  });
}

/** As a form would send it; null for what is no plain value. */
function plain(value: unknown): string | null {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** @param numbers as `reconcile` compared them. */
export function putTogether(
  numbers: Reconciliation,
  more: {
    amounts: readonly Amount[];
    missing: readonly MissingRecord[];
    settings: Reconciliation['settings'];
    declared: readonly string[];
  },
): Reconciliation {
  const rows = [
    ...numbers.rows,
    ...more.amounts.map((amount): Comparison => ({
      ...amount,
      verdict: judge(amount.source, amount.archive, amount.target),
    })),
  ];
  const isWhole = rows.every(({ verdict }) => !verdict.startsWith('lost'));
  return {
    at: numbers.at,
    reconciled: numbers.reconciled && isWhole && more.missing.length === 0 && more.settings.length === 0,
    rows,
    missing: more.missing.slice(0, mostNamed),
    missingCount: more.missing.length,
    settings: more.settings,
    declared: [...more.declared],
  };
}
