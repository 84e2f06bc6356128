/** @file Every path in a request is declared in the contract, and is found wherever it is in the request. */
import { describe, expect, test } from 'vitest';
import { callNames } from '../../../src-contract/call-names.ts';
import { calls } from '../../../src-contract/calls.ts';
import { attributesSchema, changeSchema } from '../../../src-contract/projects/change-schema.ts';
import { pathsIn, pathUseOf } from '../../../src-contract/path-schema.ts';
import { projectAttributes } from '../../../src-contract/projects/project-attributes.ts';
import type { z } from '../../../src-contract/schema.ts';

/** Returns every place of a request that may contain a text, by the names of its fields, with its declared use. */
function texts(schema: z.core.$ZodType, at: string): { at: string; use: string | null }[] {
  const use = pathUseOf(schema);
  if (use !== null) return [{ at, use }];
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, part]) => texts(part, `${at}.${name}`));
    case 'record':
      return texts(def.valueType, at);
    case 'array':
      return texts(def.element, at);
    case 'union':
      return def.options.flatMap((option) => texts(option, at));
    case 'nullable':
    case 'optional':
    case 'default':
      return texts(def.innerType, at);
    case 'string':
    case 'unknown':
      return [{ at, use: null }];
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
      return [];
    default:
      throw new Error(`A kind of schema that this test does not know: ${def.type}`);
  }
}

/**
 * Texts in requests that are no paths on the disk: `path` is the end of a project's address, `source` and `target` name
 * instances, `rules.from` and `rules.to` name groups by their full paths.
 */
const noPaths =
  `accessKeyId at before branches bucket by column confirmation createdAfter createdBefore cursor custom_attributes
  description expiresOn fullPath id instance job key last_activity_after last_activity_before lastActivityAt lastUsedAfter
  lastUsedBefore marked_for_deletion_on name namespace of overrideParams path project projects proxy region relation
  repository_storage run runId search secretAccessKey storage timeZone token topic updated_after updated_before url
  with_programming_language group except expression until note planId shown trashed arguments secretAddress
  filter.user items migration part source target rules.from rules.to finding failure failures differences exceptionClass csv`.split(
    /\s+/,
  );

/** Compares the own name of a place, or its last two names if its own is also the name of a path. */
function isKnown(at: string): boolean {
  const names = at.split('.');
  return noPaths.includes(names.at(-1) ?? '') || noPaths.includes(names.slice(-2).join('.'));
}

test('every text in a request is declared as a path, or is known to be no path', () => {
  const found = callNames.flatMap((name) => texts(calls[name].request, name));
  const unknown = found.filter(({ at, use }) => use === null && !isKnown(at));
  expect(unknown.map(({ at }) => at)).toEqual([]);
});

test('only these calls contain paths, with these uses', () => {
  const found = callNames.flatMap((name) => {
    const uses = texts(calls[name].request, name).flatMap(({ use }) => use ?? []);
    return uses.length === 0 ? [] : [[name, ...new Set(uses)].join(' ')];
  });
  expect(found).toEqual([
    'host.reveal archive',
    'settings.change archive-root',
    'instance.preview certificate',
    'instance.add certificate',
    'instance.change certificate',
    'project.saveUpload save-to',
    'project.change file',
    'project.checkAttributes file',
    'plan.save archive-root program',
    'archive.show archive',
    'archive.inspect archive',
    'archive.verify archive',
    'archive.record archive',
    'archive.lint archive',
    'archive.trim archive save-to',
    'archive.setPinned archive',
    'archive.moveToTrash archive',
    'archive.adopt file',
    'archive.identify archive',
    'archive.exportsIn save-to',
    'export.download save-to',
    'import.start archive',
    'import.status archive',
    'import.url archive',
    'import.s3 archive',
    'import.relation archive',
    'migration.saveTable save-to',
    'migration.passport save-to',
  ]);
});

test('the avatar is the only attribute of a project that is a file, and is declared as one', () => {
  const files = projectAttributes.filter(({ type }) => type === 'file').map(({ name }) => name);
  expect(files).toEqual(['avatar']);
  const declared = texts(attributesSchema, 'attributes').filter(({ use }) => use === 'file');
  expect(declared.map(({ at }) => at)).toEqual(files.map((name) => `attributes.${name}`));
});

describe('a path is found', () => {
  test.for([
    [{ kind: 'upload', file: '/a/north.txt', sizeBytes: 3 }, ['file /a/north.txt']],
    [{ kind: 'edit', attributes: { name: 'x', avatar: '/a/b.png' } }, ['file /a/b.png']],
    [
      { kind: 'create', namespace: null, forUser: null, attributes: { avatar: '/a/b.png' } },
      ['file /a/b.png'],
    ],
    [{ kind: 'edit', attributes: { name: '/a/b.png' } }, []],
    // The check of attributes refuses a value that is no text.
    [{ kind: 'edit', attributes: { avatar: 7 } }, []],
    [{ kind: 'edit', attributes: { avatar: '' } }, []],
    [{ kind: 'star' }, []],
  ] as const)('in the change %j', ([change, expected]) => {
    const { request } = calls['project.change'];
    const parsed = request.parse({ instance: 'work', project: 'a/b', change, confirmation: null });
    expect(pathsIn(request, parsed).map(({ use, path }) => `${use} ${path}`)).toEqual(expected);
  });

  test.for([
    [{ instance: 'work', project: 'a/b', to: null }, []],
    [{ instance: 'work', project: 'a/b', to: '/a' }, ['/a']],
  ] as const)('in the download %j', ([input, expected]) => {
    const { request } = calls['export.download'];
    expect(pathsIn(request, request.parse(input)).map(({ path }) => path)).toEqual(expected);
  });

  test('in the schema of every call, and a schema of an unsupported kind throws', () => {
    for (const name of callNames) expect(() => pathsIn(calls[name].request, {}), name).not.toThrow();
    expect(() => pathsIn(changeSchema.transform(String), {})).toThrow('cannot be found');
  });
});
