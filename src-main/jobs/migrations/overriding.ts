/**
 * @file What is sent with an import to win over the archive (`override_params`): values that GitLab would refuse, and names that no
 * project has. Pure.
 */
import {
  projectAttributes,
  type Attribute,
} from '../../../src-preload/contract/projects/project-attributes.ts';

type Overrides = Readonly<Record<string, string>>;

const known = new Map(projectAttributes.map((attribute) => [attribute.name, attribute]));
/** What GitLab reads as yes or no. */
const yesOrNo = /^(?:true|false|t|f|1|0|on|off|yes|no)$/i;

/** Sentences about the values that an import would fail by. */
export function overrideRefusals(overrides: Overrides): string[] {
  return Object.entries(overrides).flatMap(([name, value]) => {
    const attribute = known.get(name);
    const wanted = attribute === undefined ? null : wantedBy(attribute, value);
    return wanted === null ? [] : [`The setting ${name} cannot be "${value}": ${wanted}.`];
  });
}

/** Those that no project is known to have: GitLab would pass over them without a word. */
export const unknownOverrides = (overrides: Overrides): string[] =>
  Object.keys(overrides).filter((name) => !known.has(name));

function wantedBy({ type, values = [] }: Attribute, value: string): string | null {
  if (type === 'choice') return values.includes(value) ? null : `it is one of ${values.join(', ')}`;
  if (type === 'boolean') return yesOrNo.test(value) ? null : 'it is true or false';
  if (type === 'integer') return /^-?\d+$/.test(value) ? null : 'it is a whole number';
  return null;
}
