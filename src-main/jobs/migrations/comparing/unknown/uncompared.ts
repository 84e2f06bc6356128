/** @file Relations of an archive that no comparison covers. Pure. */
import { countedRelations, uncountedRelations } from '../../../../../src-contract/relations.ts';
import { type Inspection } from '../../../../../src-contract/archives/archive.ts';
import { relationText } from '../../../../../src-contract/words/relations.ts';
import { protectedRelations } from '../refs/protected-refs.ts';

/** Relations compared by number, by name, or as settings of the project. */
const comparedRelations: ReadonlySet<string> = new Set([
  ...countedRelations,
  ...uncountedRelations,
  ...protectedRelations,
  'pipelines',
  'project_members',
  'project_feature',
  'ci_cd_settings',
  'auto_devops',
  // This relation identifies authors by e-mail, and is no part of the project.
  'user_contributions',
]);

export interface UncomparedRelation {
  relation: string;
  count: number;
}

export function uncomparedRelations({ relations }: Pick<Inspection, 'relations'>): UncomparedRelation[] {
  return Object.entries(relations)
    .filter(([relation, count]) => count > 0 && !comparedRelations.has(relation))
    .map(([relation, count]) => ({ relation, count }))
    .sort((a, b) => (a.relation < b.relation ? -1 : 1));
}

export function describeUncompared(uncompared: readonly UncomparedRelation[]): string[] {
  if (uncompared.length === 0) return [];
  const each = uncompared.map(({ relation, count }) => `${relationText(relation)} (${count})`).join(', ');
  return [`The archive contains these relations, which were not compared: ${each}.`];
}
