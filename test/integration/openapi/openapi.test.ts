/**
 * @file Compares a fresh sandbox with GitLab's own description of its API: fields and types of every response, and every
 * parameter. The differences are listed with their reasons in `test/support/openapi/exceptions.ts`.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptedAttributes } from '../../../src-main/sandbox/projects/attribute-table.ts';
import { differences } from '../../support/openapi/comparing.ts';
import { described, withoutDescription, type Parameter } from '../../support/openapi/description.ts';
import { ExceptionBook } from '../../support/openapi/exceptions.ts';
import { OpenApiScene, requestOf, type Reply, type Row } from '../../support/openapi/scene.ts';
import { canBeWrong, isFreeText, queryValues, wrongValue } from '../../support/openapi/values.ts';
import { policyCase, attributeCase, type AttributeCase } from '../../support/openapi/wishes.ts';

const names = Object.keys(described);
const exceptions = new ExceptionBook();
let scene: OpenApiScene;
/** A project with default values only. */
let initial: Row = {};

const reads = names.filter((name) => name.startsWith('GET'));
/** Operations that create or edit a project, with the path of a request. */
const writes: Record<string, () => string> = {
  'POST /projects': () => '/projects',
  'POST /projects/user/{user_id}': () => '/projects/user/1',
  'PUT /projects/{id}': () => `/projects/${scene.edited}`,
};
const listPaths: Record<string, () => string> = {
  'GET /projects': () => '/projects',
  'GET /users/{user_id}/projects': () => '/users/root/projects',
  'GET /users/{user_id}/contributed_projects': () => '/users/root/contributed_projects',
  'GET /users/{user_id}/starred_projects': () => '/users/root/starred_projects',
  'GET /projects/{id}/forks': () => '/projects/atlas%2Fcompass/forks',
  'GET /projects/{id}': () => `/projects/${scene.project}`,
  'GET /projects/{id}/users': () => `/projects/${scene.project}/users`,
  'GET /projects/{id}/groups': () => '/projects/atlas%2Fcompass/groups',
  'GET /projects/{id}/share_locations': () => `/projects/${scene.project}/share_locations`,
  'GET /projects/{id}/starrers': () => `/projects/${scene.project}/starrers`,
  'GET /projects/{id}/uploads': () => `/projects/${scene.project}/uploads`,
  'GET /personal_access_tokens': () => '/personal_access_tokens',
};

const parametersOf = (operation: string): [name: string, parameter: Parameter][] =>
  Object.entries(described[operation]?.params ?? {}).filter(([, { in: place }]) => place !== 'path');

/** Returns the shape that the description gives for the status, or else the first one. */
function schemaOf(operation: string, status: number) {
  const shapes = described[operation]?.ok ?? {};
  return shapes[String(status)] ?? Object.values(shapes)[0] ?? null;
}

const singleShape = () => described['GET /projects/{id}']?.ok['200'] ?? null;

const deprecatedAttributes = new Set(
  acceptedAttributes.flatMap(({ name, replacedBy }) => (replacedBy === undefined ? [] : [name])),
);

function formOf(fields: Row): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) for (const item of value) form.append(`${name}[]`, String(item));
    else form.set(name, value instanceof File ? value : String(value));
  }
  return form;
}

/** Starts an import with more parameters, in the body format of its operation. */
function sendImport(operation: string, fields: Row): Promise<Reply> {
  const { path, body } = scene.imports()[operation] ?? { path: '', body: {} };
  if (body instanceof FormData) {
    for (const [name, value] of formOf(fields)) body.append(name, value);
    return scene.send('administrator', 'POST', path, body);
  }
  const nested: Row = { ...body };
  for (const [name, value] of Object.entries(fields)) {
    const [, attribute, part] = /^override_params\[(\w+)\](?:\[(\w+)\])?$/.exec(name) ?? [];
    const overrides = (nested['override_params'] ??= {}) as Record<string, unknown>;
    if (attribute === undefined) nested[name] = value;
    else if (part === undefined) overrides[attribute] = value;
    else overrides[attribute] = { ...(overrides[attribute] as Row | undefined), [part]: value };
  }
  return scene.send('administrator', 'POST', path, nested);
}

describe.skipIf(withoutDescription)("GitLab's description of its API", () => {
  beforeAll(async () => {
    scene = await OpenApiScene.open();
    initial = await scene.row('GET', `/projects/${await scene.newProject()}`);
  });
  afterAll(() => scene.close());

  test('describes the 40 operations of the specification', () => {
    expect(names).toHaveLength(40);
  });

  test.each(names)('%s returns the described status, fields and types', async (operation) => {
    const { status, body } = await requestOf(scene, operation, 'administrator');
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    const statuses = Object.keys(described[operation]?.ok ?? {});
    const unexpected = statuses.includes(String(status)) ? [] : [String(status)];
    const { missing, extra, wrong } = differences(schemaOf(operation, status), body);
    // Project lists contain the fields of a single read, although the description gives fewer.
    const known = new Set(Object.keys(singleShape()?.properties ?? {}));
    const isProjectList = listPaths[operation] !== undefined && extra.includes('_links');
    const added = isProjectList ? extra.filter((name) => !known.has(name)) : extra;
    if (isProjectList)
      added.push(...differences(singleShape(), body).extra.filter((name) => name.includes('.')));

    expect({
      status: exceptions.unexcused('status', operation, unexpected),
      missing: exceptions.unexcused('missing', operation, missing),
      extra: exceptions.unexcused('extra', operation, added),
      'wrong type': exceptions.unexcused('wrong type', operation, wrong),
    }).toEqual({ status: [], missing: [], extra: [], 'wrong type': [] });
  });

  test.each(reads)('%s returns the described types to a maintainer', async (operation) => {
    if (operation === 'GET /projects/{id}/export/download') return;
    const { status, body } = await requestOf(scene, operation, 'maintainer');
    const { wrong } = differences(schemaOf(operation, status), body);

    expect(exceptions.unexcused('wrong type', operation, wrong)).toEqual([]);
  });

  test.each(Object.keys(listPaths))('%s rejects a wrong value of each parameter', async (operation) => {
    const accepted: string[] = [];
    for (const [name, parameter] of parametersOf(operation)) {
      if (!canBeWrong(parameter)) continue;
      const query = new URLSearchParams({ [name]: wrongValue }).toString();
      const { status } = await scene.send(
        'administrator',
        'GET',
        `${listPaths[operation]?.() ?? ''}?${query}`,
      );
      if (status !== 400) accepted.push(name);
    }

    expect(exceptions.unexcused('wrong value', operation, accepted)).toEqual([]);
  });

  test.each(Object.keys(listPaths))('%s accepts each described value', async (operation) => {
    const refused: string[] = [];
    for (const [name, parameter] of parametersOf(operation)) {
      for (const value of queryValues(name, parameter)) {
        const query = new URLSearchParams({ [name]: value }).toString();
        const { status } = await scene.send(
          'administrator',
          'GET',
          `${listPaths[operation]?.() ?? ''}?${query}`,
        );
        if (status !== 200) refused.push(`${name}=${value}`);
      }
    }

    expect(exceptions.unexcused('refused', operation, refused)).toEqual([]);
  });

  test.each(Object.keys(listPaths))(
    '%s returns nothing for a text that matches nothing',
    async (operation) => {
      const path = listPaths[operation]?.() ?? '';
      expect((await scene.send('administrator', 'GET', path)).body).not.toEqual([]);
      const ignored: string[] = [];
      for (const [name, parameter] of parametersOf(operation)) {
        if (!isFreeText(name, parameter)) continue;
        const query = new URLSearchParams({ [name]: wrongValue }).toString();
        const { body } = await scene.send('administrator', 'GET', `${path}?${query}`);
        if (JSON.stringify(body) !== '[]') ignored.push(name);
      }

      expect(exceptions.unexcused('ignored', operation, ignored)).toEqual([]);
    },
  );

  test.each(Object.keys(writes))('%s rejects a wrong value of each attribute', async (operation) => {
    const [method = ''] = operation.split(' ');
    const accepted: string[] = [];
    for (const [name, parameter] of parametersOf(operation)) {
      if (!canBeWrong(parameter)) continue;
      const body = { ...(method === 'POST' ? { name: scene.name() } : {}), [name]: wrongValue };
      const { status } = await scene.send('administrator', method, writes[operation]?.() ?? '', body);
      if (status !== 400) accepted.push(name);
    }

    expect(exceptions.unexcused('wrong value', operation, accepted)).toEqual([]);
  });

  test.each(Object.keys(writes))('%s stores each attribute and returns it', async (operation) => {
    const [method = ''] = operation.split(' ');
    const ignored: string[] = [];
    const refused: string[] = [];
    for (const [name, parameter] of parametersOf(operation)) {
      const at = writes[operation]?.() ?? '';
      const isNew = method === 'POST';
      const before = isNew ? initial : await scene.row('GET', at);
      const wish = await attributeCase(scene, name, parameter, before, isNew);
      const body = { ...(isNew ? { name: scene.name() } : {}), ...wish.otherParameters, [name]: wish.value };
      const sent = name === 'avatar' ? formOf(body) : body;
      const answer = await scene.send('administrator', method, at, sent);
      if (answer.status >= 300) refused.push(`${name} ${JSON.stringify(answer.body)}`);
      else if (!(await wish.isStored(answer.body as Row))) ignored.push(name);
      if (name === 'default_branch') await scene.send('administrator', 'PUT', at, { default_branch: 'main' });
    }

    expect(exceptions.unexcused('refused', operation, refused)).toEqual([]);
    expect(exceptions.unexcused('ignored', operation, ignored)).toEqual([]);
  });

  test.each(['POST /projects/import', 'POST /projects/remote-import', 'POST /projects/remote-import-s3'])(
    '%s rejects wrong values and stores each override',
    async (operation) => {
      const accepted: string[] = [];
      for (const [name, parameter] of parametersOf(operation)) {
        if (!canBeWrong(parameter)) continue;
        const { status } = await sendImport(operation, { [name]: wrongValue });
        if (status !== 400) accepted.push(name);
      }
      expect(exceptions.unexcused('wrong value', operation, accepted)).toEqual([]);

      const overrides: { name: string; attribute: string; wish: AttributeCase }[] = [];
      for (const [name, parameter] of parametersOf(operation)) {
        const [, attribute = '', part] = /^override_params\[(\w+)\](?:\[(\w+)\])?$/.exec(name) ?? [];
        if (attribute === '' || parameter.type === 'file' || parameter.type === 'object') continue;
        const wish =
          part === undefined
            ? await attributeCase(scene, attribute, parameter, initial, false)
            : policyCase(part, parameter);
        overrides.push({ name, attribute, wish });
      }
      // One override at a time would take two hundred imports. A deprecated attribute sets the same value as its
      // replacement, so they are in different imports.
      const ignored: string[] = [];
      for (const deprecated of [true, false]) {
        const chosen = overrides.filter(
          ({ attribute }) => deprecatedAttributes.has(attribute) === deprecated,
        );
        const { status, body } = await sendImport(
          operation,
          Object.fromEntries(chosen.map(({ name, wish }) => [name, wish.value])),
        );
        expect(status, JSON.stringify(body)).toBe(201);
        const { id } = body as { id: number };
        await scene.importEnd(id);
        const row = await scene.row('GET', `/projects/${id}`);
        for (const { name, wish } of chosen) if (!(await wish.isStored(row))) ignored.push(name);
      }
      expect(overrides.length).toBeGreaterThan(70);
      expect(exceptions.unexcused('ignored', operation, ignored)).toEqual([]);
    },
  );

  test('rotating a token rejects a wrong expiry', async () => {
    for (const which of ['id', 'self']) {
      const token = await scene.token();
      const path = `/personal_access_tokens/${which === 'id' ? token.id : which}/rotate`;
      expect((await scene.send(token, 'POST', path, { expires_at: wrongValue })).status).toBe(400);
    }
  });

  test('every listed exception is still needed', () => {
    expect(exceptions.unused).toEqual([]);
  });
});
