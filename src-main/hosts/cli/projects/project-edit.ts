/** @file `packhorse project create` and `edit`: attributes are given as `--set KEY=VALUE`. */
import {
  checkAttributes,
  parseAttribute,
} from '../../../../src-contract/projects/project-attribute-values.ts';
import {
  attributeNamed,
  attributesFor,
  type AttributeUse,
  type AttributeValues,
} from '../../../../src-contract/projects/project-attributes.ts';
import { resolveUserPath } from '../../../platform/paths.ts';
import { changeAndPrint, projectLabel } from './changes.ts';
import { readId, collectRepeated, usageError } from '../terminal/options.ts';
import { parsePairs } from './pairs.ts';
import { readSecretLine } from '../terminal/secret-input.ts';
import { useTokenOption } from '../running/session.ts';
import type { AppCommand, InstanceOptions } from '../running/app-command.ts';
import { joinLines } from '../terminal/format.ts';

interface SetOptions extends InstanceOptions {
  set?: string[];
  importUrlStdin?: boolean;
}

interface CreateOptions extends SetOptions {
  forUser?: number;
}

const addSetOptions = (command: AppCommand): AppCommand =>
  command
    .option('--set <key=value>', 'an attribute of the project (repeatable); see below', collectRepeated)
    .option(
      '--import-url-stdin',
      'read the attribute import_url from standard input: it may contain a password (prompted without echo on a terminal)',
    );

/** Returns the list of attributes and their possible values for the end of the help text. */
function attributeHelp(use: AttributeUse): string {
  const lines = attributesFor(use)
    .filter(({ deprecated }) => deprecated !== true)
    .map(({ name, type, values, tier, note, administratorsOnly }) => {
      const remarks = [
        ...(note === undefined ? [] : [note]),
        ...(administratorsOnly === true ? ['administrators'] : []),
        ...(tier === undefined ? [] : [tier === 'highest' ? 'highest tier' : 'higher tiers']),
      ];
      const remarkText = remarks.length === 0 ? '' : ` (${remarks.join('; ')})`;
      return `  ${name}=${values === undefined ? type.toUpperCase() : values.join('|')}${remarkText}`;
    });
  const deprecated = attributesFor(use).filter((attribute) => attribute.deprecated === true);
  return joinLines(
    '',
    'Attributes for --set: true or false for a boolean, comma-separated texts for a list, JSON for a hash.',
    lines,
    '',
    'Deprecated by GitLab, and still accepted:',
    deprecated.map(({ name }) => `  ${name}`),
  );
}

/**
 * Returns the attributes to set. `path` is the path of a new project. Throws `invalid-input` for a wrong key or value.
 */
async function readAttributes(
  use: AttributeUse,
  options: SetOptions,
  path: string | null,
): Promise<AttributeValues> {
  const values: AttributeValues = {};
  for (const [key, text] of parsePairs(options.set ?? [])) {
    if (key in values) throw usageError(`"${key}" is set twice.`);
    const attribute = attributeNamed(key);
    const value = attribute === undefined ? text : parseAttribute(attribute, text);
    values[key] = attribute?.type === 'file' && text !== '' ? resolveUserPath(text) : value;
  }
  const address = values['import_url'];
  const url = typeof address === 'string' ? URL.parse(address) : null;
  if (url !== null && (url.username !== '' || url.password !== '')) {
    throw usageError('An import_url with a name or password is a secret: give it with --import-url-stdin');
  }
  if (options.importUrlStdin === true) {
    if (address !== undefined) throw usageError('"import_url" is set twice.');
    values['import_url'] = await readSecretLine('import_url', options);
  }
  checkAttributes(use, path === null ? values : { path, ...values });
  return values;
}

export function registerEdit(project: AppCommand): void {
  project
    .subcommand('create', 'create a project')
    .argument('<path>', 'full path of the new project, or only the last part for your own namespace')
    .option('--for-user <id>', 'create it for this user (administrators)', readId)
    .instanceOptions()
    .use(addSetOptions)
    .operations('create-project', 'create-project-for-user')
    .addHelpText('after', attributeHelp('create'))
    .withApp(async (session, path: string, options: CreateOptions) => {
      const { forUser = null } = options;
      const use = forUser === null ? 'create' : 'createFor';
      const attributes = await readAttributes(use, options, path.slice(path.lastIndexOf('/') + 1));
      await useTokenOption(session, options.instance, options);
      const change = { kind: 'create', namespace: null, forUser, attributes } as const;
      return changeAndPrint(session, options, path, change, (result) => `Created ${projectLabel(result)}.`);
    });

  project
    .subcommand('edit', 'change attributes of a project')
    .projectArgument()
    .use(addSetOptions)
    .operations('edit-project')
    .addHelpText('after', attributeHelp('edit'))
    .withApp(async (session, path: string, options: SetOptions) => {
      const attributes = await readAttributes('edit', options, null);
      await useTokenOption(session, options.instance, options);
      return changeAndPrint(session, options, path, { kind: 'edit', attributes }, (result) => {
        const ignoredNames = new Set(result.notTaken.map(({ attribute }) => attribute));
        const changedNames = Object.keys(attributes).filter((name) => !ignoredNames.has(name));
        return changedNames.length === 0
          ? `No attribute of ${projectLabel(result)} was changed.`
          : `Set ${changedNames.join(', ')} of ${projectLabel(result)}.`;
      });
    });
}
