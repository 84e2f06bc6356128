/**
 * @file Reads the attributes of create and edit requests: validates them by the server's own table, replaces deprecated
 * names, and drops those that tier or rights exclude.
 */
import type { FastifyRequest } from 'fastify';
import { parameterError } from '../requests/api-error.ts';
import {
  acceptedAttributes,
  type Attribute,
  type AttributeField,
  type AttributeUse,
} from './attribute-table.ts';
import { isObject } from '../content/project-content.ts';
import { receiveBody, plainText, type Parameters } from '../requests/bodies.ts';
import { parseBoolean } from '../requests/query.ts';
import { isAtLeast } from '../releases.ts';
import { tierIncludes, type Tier } from '../tier.ts';

/** A file that was sent as an attribute. The file stays at the path where it was received. */
export class FileParameter {
  readonly path: string;
  readonly name: string;
  readonly size: number;

  constructor({ path, name, size }: { path: string; name: string; size: number }) {
    this.path = path;
    this.name = name;
    this.size = size;
  }
}

export async function readParameters(request: FastifyRequest, folder: string): Promise<Parameters> {
  const { parameters, files } = await receiveBody(request, folder, 0);
  return {
    ...parameters,
    ...Object.fromEntries([...files].map(([name, file]) => [name, new FileParameter(file)])),
  };
}

interface AttributeReader {
  tier: Tier;
  version: string;
  administrator: boolean;
}

const notValid = Symbol('not valid');

/** Returns values by their current names. Throws 400 with all invalid values, in GitLab's form. */
export function readAttributes(
  parameters: Parameters,
  use: AttributeUse,
  reader: AttributeReader,
): Parameters {
  const problems: string[] = [];
  const old: Parameters = {};
  const current: Parameters = {};
  for (const attribute of acceptedAttributes) {
    const { name, uses } = attribute;
    if (!uses.includes(use) || !Object.hasOwn(parameters, name) || !knows(reader, attribute)) continue;
    const given = parameters[name];
    const value = valueOf(attribute, given);
    if (value === notValid) {
      const isChoice = attribute.values !== undefined && typeof given === 'string';
      problems.push(isChoice ? `${name} does not have a valid value` : `${name} is invalid`);
    } else if (mayHave(reader, attribute)) {
      const { replacedBy } = attribute;
      if (replacedBy === undefined) current[name] = value;
      else old[replacedBy] = translated(attribute, replacedBy, value);
    }
  }
  if (problems.length > 0) throw parameterError(400, problems.join(', '));
  return { ...old, ...current };
}

/** Returns true if any parameter is an attribute of an edit, of any tier and release. */
export function hasEditAttributes(parameters: Parameters): boolean {
  return acceptedAttributes.some(
    ({ name, uses }) => uses.includes('edit') && Object.hasOwn(parameters, name),
  );
}

function knows({ version }: AttributeReader, { since }: Attribute): boolean {
  return since === undefined || isAtLeast(version, since);
}

function mayHave(reader: AttributeReader, { tier, administratorsOnly }: Attribute): boolean {
  if (administratorsOnly === true && !reader.administrator) return false;
  return tier === undefined || tierIncludes(reader.tier, tier);
}

function translated({ name }: Attribute, replacedBy: string, value: unknown): unknown {
  if (replacedBy.endsWith('_access_level')) return value === true ? 'enabled' : 'disabled';
  return name === 'emails_disabled' ? value !== true : value;
}

function valueOf(attribute: Attribute, given: unknown): unknown {
  if (given === null) return null;
  switch (attribute.type) {
    case 'choice':
      return typeof given === 'string' && (attribute.values ?? []).includes(given) ? given : notValid;
    case 'list':
      return listOf(given);
    case 'hash':
      return hashOf(attribute.fields ?? [], given);
    case 'file':
      return given === '' || given instanceof FileParameter ? given : notValid;
    default:
      return plainOf(attribute.type, given);
  }
}

function plainOf(type: 'boolean' | 'integer' | 'text', given: unknown): unknown {
  if (type === 'boolean') return typeof given === 'boolean' ? given : (yesOrNo(given) ?? notValid);
  if (type === 'text') return plainText(given) ?? notValid;
  const number = typeof given === 'string' && given !== '' ? Number(given) : given;
  return Number.isInteger(number) ? number : notValid;
}

function yesOrNo(given: unknown): boolean | null {
  return typeof given === 'string' || typeof given === 'number' ? parseBoolean(String(given)) : null;
}

function listOf(given: unknown): unknown {
  const texts: unknown[] =
    typeof given === 'string' ? given.split(',') : Array.isArray(given) ? given : [notValid];
  if (!texts.every((text) => typeof text === 'string')) return notValid;
  return [...new Set(texts.map((text) => text.trim()).filter(Boolean))];
}

function hashOf(fields: readonly AttributeField[], given: unknown): unknown {
  if (!isObject(given)) return notValid;
  const values: Parameters = {};
  for (const { name, type, replacedBy } of fields) {
    const part = given[name];
    if (part === undefined) continue;
    const value = part === null ? null : plainOf(type, part);
    if (value === notValid) return notValid;
    values[replacedBy ?? name] = value;
  }
  return values;
}

/** Image formats of an avatar, by the extension of its name. */
const imageEnding = /\.(?:png|jpe?g|gif|bmp|tiff|ico|webp)$/i;

export function avatarProblem(file: FileParameter): string | null {
  if (!imageEnding.test(file.name)) {
    return (
      'file format is not supported. Please try one of the following supported formats: ' +
      'image/png, image/jpeg, image/gif, image/bmp, image/tiff, image/vnd.microsoft.icon, image/webp'
    );
  }
  return file.size > 200 * 1024 ? 'is too big (should be at most 200 KiB)' : null;
}
