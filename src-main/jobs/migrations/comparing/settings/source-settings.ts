/**
 * @file Settings that an export lost according to an earlier comparison. A later one may not be able to read the source,
 * and an archive then has another value than the source had. Pure.
 */
import type { Reconciliation } from '../../../../../src-contract/transfers/import.ts';
import { hasValue, type Attributes } from './setting-table.ts';

/** The values on the source by attribute, as a comparison reports them. */
export type SourceSettings = Readonly<Record<string, string>>;

type Earlier = Pick<Reconciliation, 'settings' | 'sourceSettings'>;

/** Also returns settings that were repaired on the target since. */
export const knownSourceSettings = (earlier: Earlier | null): SourceSettings => ({
  ...earlier?.sourceSettings,
  ...Object.fromEntries(
    (earlier?.settings ?? [])
      .filter(({ lost }) => lost === 'on-export')
      .map(({ attribute, expected }) => [attribute, expected]),
  ),
});

/**
 * Returns the differences from the values on the source, if these are known, instead of those from the archive.
 * @param settings differences between archive and target.
 */
export const comparedWithKnown = (
  settings: Reconciliation['settings'],
  known: SourceSettings,
  target: Attributes,
): Reconciliation['settings'] =>
  settings.flatMap((setting) => {
    const expected = known[setting.attribute];
    if (expected === undefined) return [setting];
    return hasValue(target, setting.attribute, expected) ? [] : [{ ...setting, expected, lost: 'on-export' }];
  });
