/**
 * @file Overrides of an import (`override_params`), checked like the attributes of an edit. GitLab ignores unknown
 * names.
 */
import { AppError } from '../errors.ts';
import { attributeProblems, parseAttribute } from '../projects/project-attribute-values.ts';
import { attributeNamed, type AttributeValue, type AttributeValues } from '../projects/project-attributes.ts';

/** The values as a user types them in `KEY=VALUE`. The keys are GitLab's names of attributes. */
export type OverrideParams = Readonly<Record<string, string>>;

/** Attributes that are separate fields of an import, and attributes that an import cannot set. */
const notOverridable: Record<string, string> = {
  name: 'The name of the new project is a separate field, not an override.',
  path: 'The path of the new project is a separate field, not an override.',
  avatar: 'An import cannot set "avatar". Set it with an edit afterwards.',
  import_url: 'An import cannot set "import_url".',
};

/** Returns the parsed values, for example hashes as objects. Throws `invalid-input` with every problem. */
export function readOverrides(overrides: OverrideParams): AttributeValues {
  const { values, problems } = parseOverrides(overrides);
  if (problems.length === 0) return values;
  throw new AppError('invalid-input', problems.join(' '), {
    details: { attributes: Object.keys(overrides).join(', ') },
  });
}

/** Returns one sentence for each problem. */
export const overrideProblems = (overrides: OverrideParams): string[] => parseOverrides(overrides).problems;

/** Returns the values that can be read, and leaves out the others. */
export const validOverrides = (overrides: OverrideParams): AttributeValues =>
  parseOverrides(overrides).values;

/** Returns the names that no edit of a project accepts. */
export const unknownOverrides = (overrides: OverrideParams): string[] =>
  Object.keys(overrides).filter((name) => attributeNamed(name)?.uses.includes('edit') !== true);

function parseOverrides(overrides: OverrideParams): { values: AttributeValues; problems: string[] } {
  const values: AttributeValues = {};
  const problems: string[] = [];
  for (const [name, text] of Object.entries(overrides)) {
    const found = valueOf(name, text);
    if ('problem' in found) problems.push(found.problem);
    else values[name] = found.value;
  }
  return { values, problems };
}

function valueOf(name: string, text: string): { problem: string } | { value: AttributeValue } {
  const reason = Object.hasOwn(notOverridable, name) ? notOverridable[name] : undefined;
  if (reason !== undefined) return { problem: reason };
  const attribute = attributeNamed(name);
  const [unknownProblem] =
    attribute?.uses.includes('edit') === true ? [] : attributeProblems('edit', { [name]: text });
  if (attribute === undefined || unknownProblem !== undefined) return { problem: unknownProblem ?? '' };
  if (text.trim() === '') {
    return { problem: `"${name}" has no value. GitLab ignores an override without one.` };
  }
  try {
    const value = parseAttribute(attribute, text);
    const [problem] = attributeProblems('edit', { [name]: value });
    return problem === undefined ? { value } : { problem };
  } catch (error) {
    return { problem: AppError.from(error).message };
  }
}
