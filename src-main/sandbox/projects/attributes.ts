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

interface AttributeContext {
  tier: Tier;
  version: string;
  administrator: boolean;
}

const notValid = Symbol('not valid');

/** Returns values by their current names. Throws 400 with all invalid values, in GitLab's form. */
export function readAttributes(
  parameters: Parameters,
  use: AttributeUse,
  context: AttributeContext,
): Parameters {
  const problems: string[] = [];
  const deprecatedValues: Parameters = {};
  const currentValues: Parameters = {};
  for (const attribute of acceptedAttributes) {
    const { name, uses } = attribute;
    if (!uses.includes(use) || !Object.hasOwn(parameters, name) || !isSupported(context, attribute)) continue;
    const input = parameters[name];
    const value = valueOf(attribute, input);
    if (value === notValid) {
      const isChoice = attribute.values !== undefined && typeof input === 'string';
      problems.push(isChoice ? `${name} does not have a valid value` : `${name} is invalid`);
    } else if (isAllowed(context, attribute)) {
      const { replacedBy } = attribute;
      if (replacedBy === undefined) currentValues[name] = value;
      else deprecatedValues[replacedBy] = toCurrentValue(attribute, replacedBy, value);
    }
  }
  if (problems.length > 0) throw parameterError(400, problems.join(', '));
  return { ...deprecatedValues, ...currentValues };
}

/** Returns true if any parameter is an attribute of an edit, of any tier and release. */
export function hasEditAttributes(parameters: Parameters): boolean {
  return acceptedAttributes.some(
    ({ name, uses }) => uses.includes('edit') && Object.hasOwn(parameters, name),
  );
}

function isSupported({ version }: AttributeContext, { since }: Attribute): boolean {
  return since === undefined || isAtLeast(version, since);
}

function isAllowed(context: AttributeContext, { tier, administratorsOnly }: Attribute): boolean {
  if (administratorsOnly === true && !context.administrator) return false;
  return tier === undefined || tierIncludes(context.tier, tier);
}

function toCurrentValue({ name }: Attribute, replacedBy: string, value: unknown): unknown {
  if (replacedBy.endsWith('_access_level')) return value === true ? 'enabled' : 'disabled';
  return name === 'emails_disabled' ? value !== true : value;
}

function valueOf(attribute: Attribute, input: unknown): unknown {
  if (input === null) return null;
  switch (attribute.type) {
    case 'choice':
      return typeof input === 'string' && (attribute.values ?? []).includes(input) ? input : notValid;
    case 'list':
      return listOf(input);
    case 'hash':
      return hashOf(attribute.fields ?? [], input);
    case 'file':
      return input === '' || input instanceof FileParameter ? input : notValid;
    default:
      return parseScalar(attribute.type, input);
  }
}

function parseScalar(type: 'boolean' | 'integer' | 'text', input: unknown): unknown {
  if (type === 'boolean') return typeof input === 'boolean' ? input : (booleanOrNull(input) ?? notValid);
  if (type === 'text') return plainText(input) ?? notValid;
  const number = typeof input === 'string' && input !== '' ? Number(input) : input;
  return Number.isInteger(number) ? number : notValid;
}

function booleanOrNull(input: unknown): boolean | null {
  return typeof input === 'string' || typeof input === 'number' ? parseBoolean(String(input)) : null;
}

function listOf(input: unknown): unknown {
  const texts: unknown[] =
    typeof input === 'string' ? input.split(',') : Array.isArray(input) ? input : [notValid];
  if (!texts.every((text) => typeof text === 'string')) return notValid;
  return [...new Set(texts.map((text) => text.trim()).filter(Boolean))];
}

function hashOf(fields: readonly AttributeField[], input: unknown): unknown {
  if (!isObject(input)) return notValid;
  const values: Parameters = {};
  for (const { name, type, replacedBy } of fields) {
    const part = input[name];
    if (part === undefined) continue;
    const value = part === null ? null : parseScalar(type, part);
    if (value === notValid) return notValid;
    values[replacedBy ?? name] = value;
  }
  return values;
}

/** Image formats of an avatar, by the extension of its name. */
const imageExtension = /\.(?:png|jpe?g|gif|bmp|tiff|ico|webp)$/i;

export function avatarProblem(file: FileParameter): string | null {
  if (!imageExtension.test(file.name)) {
    return (
      'file format is not supported. Please try one of the following supported formats: ' +
      'image/png, image/jpeg, image/gif, image/bmp, image/tiff, image/vnd.microsoft.icon, image/webp'
    );
  }
  return file.size > 200 * 1024 ? 'is too big (should be at most 200 KiB)' : null;
}
