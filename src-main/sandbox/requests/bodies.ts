/**
 * @file Reads request parameters like GitLab, from the query and from a JSON, form or multipart body. Keys like
 * `upload[url]` and `topics[]` become objects and lists. Files are written to disk as they arrive.
 */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isObject } from '../content/project-content.ts';
import { parameterError } from './api-error.ts';
import { queryOf } from './query.ts';

/** Values are text in a query, form or multipart body, and any JSON in a JSON body. */
export type Parameters = Record<string, unknown>;

export interface ReceivedFile {
  path: string;
  /** The client's name and content type of the file. */
  name: string;
  type: string;
  size: number;
}

export interface ReceivedBody {
  parameters: Parameters;
  /** Files by field name. The receiver removes them. */
  files: Map<string, ReceivedFile>;
}

/** Makes a server accept every kind of body; an empty JSON body has no parameters. */
export function acceptBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  const jsonTypes = ['application/json', 'application/vnd.git-lfs+json'];
  app.addContentTypeParser(jsonTypes, { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? {} : JSON.parse(body.toString()));
    } catch {
      done(parameterError(400, 'Problems parsing JSON'), undefined);
    }
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, nestFields(new URLSearchParams(body.toString())));
    },
  );
  void app.register(multipart, { limits: { fieldSize: 1 << 20 } });
}

/** Returns the parameters of a request whose body is not multipart. The body overrides the query. */
export function parametersOf(request: FastifyRequest): Parameters {
  return { ...nestFields(queryOf(request)), ...(isObject(request.body) ? request.body : {}) };
}

let received = 0;

/**
 * Reads a request with any kind of body. Files are written to `folder`. A file larger than `maxFileSize` bytes (0 for
 * no limit) is refused with 413. A failure removes all files.
 */
export async function receiveBody(
  request: FastifyRequest,
  folder: string,
  maxFileSize: number,
): Promise<ReceivedBody> {
  const files = new Map<string, ReceivedFile>();
  if (!request.isMultipart()) return { parameters: parametersOf(request), files };
  const fields = [...queryOf(request)];
  const fileSize = maxFileSize === 0 ? Infinity : maxFileSize;
  let path: string | null = null;
  try {
    for await (const part of request.parts({ limits: { fileSize } })) {
      if (part.type === 'field') {
        fields.push([part.fieldname, String(part.value)]);
        continue;
      }
      path = join(folder, `upload-${++received}`);
      const written = createWriteStream(path, { highWaterMark: 1 << 20 });
      await pipeline(part.file, written);
      const size = written.bytesWritten;
      files.set(part.fieldname, { path, name: part.filename, type: part.mimetype, size });
    }
  } catch (error) {
    await removeFiles(files);
    if (path !== null) await rm(path, { force: true });
    throw error;
  }
  return { parameters: nestFields(fields), files };
}

export async function removeFiles(files: ReceivedBody['files']): Promise<void> {
  await Promise.all([...files.values()].map((file) => rm(file.path, { force: true })));
}

/** Returns a parameter as text, as if a form had sent it; null when it is absent or not a plain value. */
export function textOf(parameters: Parameters, name: string): string | null {
  return plainText(parameters[name]);
}

export function plainText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/**
 * Throws GitLab's error for missing required parameters; `missing` has further parameters that are known to be absent.
 */
export function requireParameters(
  parameters: Parameters,
  names: readonly string[],
  missing: readonly string[] = [],
): void {
  const absent = [...names.filter((name) => textOf(parameters, name) === null), ...missing];
  if (absent.length > 0) throw parameterError(400, absent.map((name) => `${name} is missing`).join(', '));
}

/** Turns `a[b]=c` into `{ a: { b: 'c' } }` and `a[]=c` into a list; also handles deeper keys. */
function nestFields(fields: Iterable<readonly [string, string]>): Parameters {
  const root = Object.create(null) as Parameters;
  for (const [name, value] of fields) {
    const [first = '', ...rest] = name.split(/\]?\[/);
    place(root, [first, ...rest.map((key) => key.replace(/\]$/, ''))], value);
  }
  return root;
}

function place(into: Parameters, [key = '', next, ...rest]: string[], value: string): void {
  if (next === undefined) {
    into[key] = value;
  } else if (next === '') {
    const list = into[key];
    if (Array.isArray(list)) list.push(value);
    else into[key] = [value];
  } else {
    const inner = into[key];
    const hash = isObject(inner) ? inner : (Object.create(null) as Parameters);
    into[key] = hash;
    place(hash, [next, ...rest], value);
  }
}
