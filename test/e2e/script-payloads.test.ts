/** @file The window shows text from servers and archives as text: none of forty script payloads runs in any view that shows it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lines } from '../support/archives/archive-builder.ts';
import { openBrowserWorld } from '../support/browser/browser-world.ts';
import { exportArchive } from '../support/archives/export-archive.ts';
import { SandboxCalls } from '../support/servers/sandbox-calls.ts';
import { markPage, payloadsThatRan, scriptPayloads } from '../support/browser/script-payloads.ts';
import { planDraft } from '../support/jobs/plan-draft.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { allEnded, openTestSandbox, register } from '../support/world.ts';

test('none of forty script payloads runs in any view that shows text of a server or an archive', async () => {
  const world = await openBrowserWorld();
  const { page, client, screenshot } = world;
  await markPage(page);
  await page.reload();
  const requestedUrls: string[] = [];
  page.on('request', (request) => requestedUrls.push(request.url()));
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const calls = new SandboxCalls(sandbox);
  sandbox.faults.add({
    match: { path: '^/api/v4/user$' },
    action: {
      kind: 'respond',
      status: 200,
      body: { ...((await calls.get('/user')) as object), username: scriptPayloads.join(' ') },
    },
  });
  await register(world, 'work', sandbox);
  await register(world, 'new-home', await openTestSandbox({ seed: 2, projectCount: 0 }));

  const [real] = (await calls.get('/projects?membership=true')) as Record<string, unknown>[];
  sandbox.faults.add({
    match: { path: '^/api/v4/projects\\?' },
    action: {
      kind: 'respond',
      status: 200,
      body: scriptPayloads.map((payload, at) => ({
        ...real,
        id: 1_000 + at,
        name: payload,
        name_with_namespace: payload,
        description: payload,
        description_html: payload,
        default_branch: payload,
        visibility: payload,
        path_with_namespace: `group/${payload.replaceAll('/', '-')}`,
        web_url: payload,
      })),
    },
  });
  await client.call('instance.refresh', { name: 'work', visible: false });
  const { id: migration } = await client.call('migration.create', {
    ...{ name: 'Move', source: 'work', target: 'new-home', rules: [], overrideParams: {} },
    ...{ selection: { kind: 'all', scope: 'member' }, freeze: false, waveSize: null },
  });
  const chosen = [{ id: 1_000, fullPath: `group/${scriptPayloads[0]?.replaceAll('/', '-') ?? ''}` }];
  const { plan } = await client.call(
    'plan.save',
    planDraft({ selection: { kind: 'projects', projects: chosen } }),
  );
  const [token] = (await calls.get('/personal_access_tokens')) as object[];
  sandbox.faults.add({
    match: { path: '^/api/v4/personal_access_tokens\\?' },
    action: {
      kind: 'respond',
      status: 200,
      body: scriptPayloads.map((payload, at) => ({
        ...token,
        id: 1_000 + at,
        name: payload,
        description: payload,
        scopes: [payload],
      })),
    },
  });

  const details = scriptPayloads.map((payload, at) => ({
    id: at + 1,
    created_at: '2026-11-20T12:00:00.000Z',
    exception_class: payload,
    exception_message: payload,
    source: payload,
    relation_name: at % 2 === 0 ? 'issues' : payload,
    line_number: at,
  }));
  sandbox.faults.add({
    match: { path: '/import$', method: 'GET' },
    action: {
      kind: 'respond',
      status: 200,
      body: {
        id: real?.['id'],
        path_with_namespace: real?.['path_with_namespace'],
        name: scriptPayloads[0],
        created_at: '2026-11-20T12:00:00.000Z',
        import_status: 'failed',
        import_type: scriptPayloads[1],
        import_error: scriptPayloads.join(' '),
        correlation_id: scriptPayloads[2],
        failed_relations: details,
      },
    },
  });
  sandbox.faults.add({
    match: { method: 'POST', path: '/export' },
    action: { kind: 'respond', status: 403, body: { message: scriptPayloads.join(' ') } },
  });
  await client.call('backup.start', {
    instance: 'work',
    projects: [String(real?.['path_with_namespace'])],
    keepExisting: false,
  });
  const [job] = await allEnded(world);
  const file = join(temporaryFolder(), 'payloads_export.tar.gz');
  const named = Object.fromEntries(
    scriptPayloads.map((payload, at) => [
      `uploads/${at}${payload.replaceAll('/', '-').slice(0, 200)}`,
      payload,
    ]),
  );
  writeFileSync(
    file,
    await exportArchive({
      ...named,
      'tree/project/issues.ndjson': lines(
        ...scriptPayloads.map((payload, iid) => ({
          iid,
          title: payload,
          description: payload,
          author: payload,
        })),
      ),
    }),
  );

  await world.go('/archives');
  await page.locator('input[type=file]').setInputFiles(file);
  await page.waitForURL(/#\/archives\?file=/);
  const archive = new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('file') ?? '';

  const views = [
    ['overview', '/overview'],
    ['projects', '/projects'],
    [
      'project',
      `/projects?instance=work&project=${encodeURIComponent(`group/${scriptPayloads[0]?.replaceAll('/', '-') ?? ''}`)}`,
    ],
    ['find', '/find?instance=work'],
    ['activity', `/activity?job=${job?.id ?? ''}`],
    ['file', `/archives?file=${encodeURIComponent(archive)}`],
    [
      'check',
      `/check?url=${encodeURIComponent(String(real?.['web_url']))}&archive=${encodeURIComponent(archive)}`,
    ],
    ['import', `/import?archive=${encodeURIComponent(archive)}`],
    ['plan', `/plans?edit=${plan.id}`],
    ['migration', `/migrations?migration=${migration}&step=map`],
    ['instances', '/instances'],
    ['tokens', '/tokens?instance=work'],
    ['nowhere', `/${scriptPayloads[0] ?? ''}?${scriptPayloads[1] ?? ''}`],
  ] as const;
  for (const [name, hash] of views) {
    await world.go(hash);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    // The job and the archive show their payloads only after a click.
    if (name === 'activity') await page.getByText('Details', { exact: true }).first().click();
    if (name === 'file') {
      await page.getByRole('tab', { name: /Records/ }).click();
      await page.getByRole('button', { name: 'Read', exact: true }).click();
    }
    await page.getByText(/hit\(/).first().waitFor();
    await screenshot(`payloads-${name}`);
    expect(await payloadsThatRan(page), name).toEqual([]);
  }
  await world.go(`/archives?file=${encodeURIComponent(archive)}`);
  await page.getByRole('tab', { name: /Findings/ }).click();
  await page.getByRole('tab', { name: /Records/ }).click();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('script');
  await page.getByRole('dialog').getByRole('option').first().waitFor();
  await screenshot('payloads-palette');
  expect(await payloadsThatRan(page)).toEqual([]);
  const own = new URL(page.url()).host;
  expect(requestedUrls.filter((url) => new URL(url).host !== own)).toEqual([]);

  // The payloads do run in a page that inserts them as markup, so a payload that runs is detected.
  const unsafePage = await page.context().browser()?.newPage();
  if (unsafePage === undefined) throw new Error('There is no browser.');
  await markPage(unsafePage);
  await unsafePage.goto('about:blank');
  await unsafePage.setContent(scriptPayloads.join(''));
  expect((await payloadsThatRan(unsafePage)).length).toBeGreaterThan(0);
  await unsafePage.close();
});
