/** @file The sentences about settings whose difference is no loss, or may be none. Pure. */
import { formatValue } from './setting-values.ts';

/** `found` is null if the target does not show the setting. */
interface NamedDifference {
  attribute: string;
  expected: string;
  found: string | null;
}

/** A setting that the version of the target no longer has. */
interface RemovedSetting extends NamedDifference {
  replacement: string;
}

export interface NamedDifferences {
  removed: RemovedSetting[];
  notExported: NamedDifference[];
  /** Those of `notExported` that the target may also force. */
  notExportedOrForced: NamedDifference[];
  loweredByImport: NamedDifference[];
  decidedByTarget: NamedDifference[];
  possiblyLater: NamedDifference[];
  notShown: NamedDifference[];
  onlyOnTarget: NamedDifference[];
  unknownOnSource: NamedDifference[];
}

export const noDifferences = (): NamedDifferences => ({
  ...{ removed: [], notExported: [], notExportedOrForced: [], loweredByImport: [], decidedByTarget: [] },
  ...{ possiblyLater: [], notShown: [], onlyOnTarget: [], unknownOnSource: [] },
});

export const remarksOn = (named: NamedDifferences): string[] => [
  ...named.removed.map(
    ({ attribute, expected, replacement }) =>
      `Newer versions of GitLab, such as that of the target, have no setting ${attribute} (it was ${formatValue(expected)}). Use ${replacement} instead.`,
  ),
  ...sentenceOn(
    'An export does not carry these settings, so set them on the target if they matter',
    named.notExported,
  ),
  ...sentenceOn(
    'An export does not carry these settings, and the target may force them for all projects. If they matter, set them on the target, unless it forces them',
    named.notExportedOrForced,
  ),
  ...sentenceOn(
    'The import lowered the visibility, because the group or the instance of the target allows no more',
    named.loweredByImport,
  ),
];

/** Returns the attributes that the target does not show. */
export const unshownIn = ({ notShown, notExported, removed }: NamedDifferences): string[] =>
  [...notShown, ...notExported, ...removed]
    .filter(({ found }) => found === null)
    .map(({ attribute }) => attribute);

export const declarationsOn = (named: NamedDifferences): string[] => [
  ...sentenceOn('The target may decide these settings for all projects', named.decidedByTarget),
  ...sentenceOn(
    'These settings of the archive differ from the source, and may have been changed there after the export, because GitLab shows no time of such a change, so it is not known whether the export lost them',
    named.possiblyLater,
  ),
  ...sentenceOn(
    'The target does not show these settings on its tier, at its version or to the account, or was not asked for them, so it is not known whether they arrived',
    named.notShown,
  ),
  ...sentenceOn(
    'Only the target has a value of these settings, which it may give to all projects',
    named.onlyOnTarget,
  ),
  ...sentenceOn(
    'The source may force the values of these settings that it shows, and the archive does not contain these values, so it is not known whether they were lost',
    named.unknownOnSource,
  ),
];

function sentenceOn(intro: string, differences: readonly NamedDifference[]): string[] {
  if (differences.length === 0) return [];
  const texts = differences.map(
    ({ attribute, expected, found }) =>
      `${attribute}${found === null ? '' : ` is ${formatValue(found)} and`} was ${formatValue(expected)}`,
  );
  return [`${intro}: ${texts.join('; ')}.`];
}
