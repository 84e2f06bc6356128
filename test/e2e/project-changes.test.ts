/** @file Changes to a project through its panel, against the sandbox, which stores the requested values afterwards. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeInputSchema } from '../../src-contract/projects/change-schema.ts';
import { openBrowserWorld, type BrowserWorld } from '../support/browser/browser-world.ts';
import { projectUrl, SandboxCalls } from '../support/servers/sandbox-calls.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { backUp, openTestSandbox, register } from '../support/world.ts';
import { jobFilter } from '../support/requests.ts';

const path = 'atlas/compass';

/** Opens the panel of the sandbox's first project at the given part, with the administrator's token. */
async function openPanel(world: BrowserWorld, part: string): Promise<{ calls: SandboxCalls }> {
  const sandbox = await openTestSandbox({ projectCount: 2 });
  await register(world, 'work', sandbox, sandbox.tokens.administrator);
  await world.client.call('instance.refresh', { name: 'work', visible: true });
  await world.go(`/projects?project=${encodeURIComponent(path)}&of=work&part=${part}`);
  return { calls: new SandboxCalls(sandbox, sandbox.tokens.administrator) };
}

const panelOf = ({ page }: BrowserWorld) => page.getByRole('complementary');

test('the instance stores the values edited in the form, and only these are sent', async () => {
  const world = await openBrowserWorld();
  const { page, screenshot } = world;
  const { calls } = await openPanel(world, 'changes');
  await panelOf(world).getByRole('button', { name: 'Edit…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Description').fill('Where north is.\nAlways.');
  await dialog.getByLabel('Topics').fill('maps, north');
  await dialog.getByRole('searchbox').fill('wiki');
  await dialog.getByLabel('Wiki').selectOption({ label: 'Members only' });
  await screenshot('project-edit');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await panelOf(world).getByText('The project was edited').waitFor();
  await screenshot('project-edited');
  expect(await calls.get(`/projects/${encodeURIComponent(path)}`)).toMatchObject({
    description: 'Where north is.\nAlways.',
    topics: ['maps', 'north'],
    wiki_access_level: 'private',
  });
  const filter = jobFilter({ limit: 10 });
  const { jobs } = await world.client.call('job.list', filter);
  expect(jobs).toHaveLength(1);
  expect(changeInputSchema.parse(jobs[0]?.input).change).toEqual({
    kind: 'edit',
    attributes: {
      description: 'Where north is.\nAlways.',
      topics: ['maps', 'north'],
      wiki_access_level: 'private',
    },
  });
});

test('the window follows a fork until the copy is complete', async () => {
  const world = await openBrowserWorld();
  const { page, screenshot } = world;
  const { calls } = await openPanel(world, 'changes');
  await panelOf(world).getByRole('button', { name: 'Fork…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Path').fill('second-compass');
  await screenshot('project-fork');
  await dialog.getByRole('button', { name: 'Create the fork' }).click();
  await panelOf(world)
    .getByText(/^Forked to .*\/second-compass$/)
    .waitFor();
  await screenshot('project-forked');
  const forks = await calls.get(`/projects/${encodeURIComponent(path)}/forks`);
  expect(forks).toMatchObject([{ path: 'second-compass', import_status: 'finished' }]);
});

test('a file can be uploaded, listed, and saved again without a change', async () => {
  const world = await openBrowserWorld();
  const { screenshot, client } = world;
  await openPanel(world, 'files');
  const file = join(temporaryFolder(), 'north.txt');
  writeFileSync(file, 'up\n');
  await panelOf(world).locator('input[type=file]').setInputFiles(file);
  await panelOf(world).getByText('north.txt was uploaded').waitFor();
  await panelOf(world).getByRole('button', { name: 'Save north.txt' }).click();
  const saved = panelOf(world).getByText(/^Saved as .*north\.txt/);
  await saved.waitFor();
  await screenshot('project-uploaded');
  const savedPath = /^Saved as (.*) \(/.exec((await saved.textContent()) ?? '')?.[1] ?? '';
  expect(readFileSync(savedPath, 'utf8')).toBe('up\n');
  const { uploads } = await client.call('project.uploads', {
    instance: 'work',
    project: path,
    limit: 10,
  });
  expect(uploads[0]).toMatchObject({ fileName: 'north.txt', sizeBytes: 3 });
});

test('a deleted project is marked for deletion, and can be restored to what it was', async () => {
  const world = await openBrowserWorld();
  const { page, screenshot, client } = world;
  await openPanel(world, 'changes');
  const { project } = await client.call('project.details', { instance: 'work', project: path });
  const markedOn = async (): Promise<string | null> => {
    const input = { instance: 'work', project: String(project.id) };
    return (await client.call('project.details', input)).markedForDeletionOn;
  };
  await panelOf(world).getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/can be restored here until/).waitFor();
  await dialog.getByRole('textbox').fill(path);
  await screenshot('project-delete');
  await dialog.getByRole('button', { name: 'Delete the project' }).click();
  await panelOf(world)
    .getByText(/^Marked for deletion; will be deleted on/)
    .waitFor();
  await screenshot('project-deleted');
  expect(await markedOn()).not.toBeNull();
  await panelOf(world).getByRole('button', { name: 'Restore' }).click();
  await panelOf(world).getByText('The project was restored').waitFor();
  await screenshot('project-restored');
  expect(await markedOn()).toBeNull();
  const restored = await client.call('project.details', { instance: 'work', project: path });
  expect(restored.project).toEqual(project);
});

test('a starred project lists the user among its starrers until the star is removed', async () => {
  const world = await openBrowserWorld();
  const { screenshot } = world;
  const { calls } = await openPanel(world, 'changes');
  const panel = panelOf(world);
  const starrers = () => calls.get(`${projectUrl(path)}/starrers`);
  await panel.getByRole('button', { name: 'Star it' }).click();
  await panel.getByText('The project was starred').waitFor();
  const removeStar = panel.getByRole('button', { name: 'Remove the star' });
  await removeStar.waitFor();
  await screenshot('project-starred');
  expect(await starrers()).toMatchObject([{ user: { username: 'root' } }]);
  await panel.getByRole('tab', { name: 'Members', exact: true }).click();
  await panel.getByText('Starred by').click();
  await panel.getByText('root', { exact: false }).first().waitFor();
  await screenshot('project-starrers');
  await panel.getByRole('tab', { name: 'Changes' }).click();
  await removeStar.click();
  await panel.getByText('The star was removed').waitFor();
  await panel.getByRole('button', { name: 'Star it' }).waitFor();
  expect(await starrers()).toEqual([]);
});

test('a project marked for deletion is deleted permanently, but only after its current path was typed', async () => {
  const world = await openBrowserWorld();
  const { page, screenshot, client } = world;
  const { calls } = await openPanel(world, 'changes');
  const panel = panelOf(world);
  const { id } = (await client.call('project.details', { instance: 'work', project: path })).project;
  expect((await calls.call(`/projects/${id}`, 'DELETE')).status).toBe(202);
  const marked = (await client.call('project.details', { instance: 'work', project: String(id) })).project;
  await page.reload();
  await panel.getByRole('button', { name: 'Delete permanently…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The project is deleted at once and cannot be restored.').waitFor();
  await dialog.getByRole('textbox').fill(path);
  const confirm = dialog.getByRole('button', { name: 'Delete it permanently' });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill(marked.fullPath);
  await screenshot('project-delete-for-good');
  await confirm.click();
  await panel.getByText('The project was deleted').waitFor();
  await screenshot('project-gone');
  await expect.poll(async () => (await calls.call(`/projects/${id}`)).status).toBe(404);
});

test('a part of a project is imported again from an archive, and its status is listed', async () => {
  const world = await openBrowserWorld();
  const { page, screenshot, client } = world;
  const { calls } = await openPanel(world, 'files');
  await backUp(world, 'work', [path]);
  await panelOf(world).getByText('No single part was imported.').waitFor();
  await panelOf(world).getByRole('button', { name: 'Import a part…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Milestones').check();
  await screenshot('project-relation');
  await dialog.getByRole('button', { name: 'Import this part' }).click();
  await panelOf(world).getByText('Milestones were imported').waitFor();
  await panelOf(world).getByText('Finished', { exact: true }).waitFor();
  await screenshot('project-relation-imported');
  const { relationImports } = await client.call('import.relations', { instance: 'work', project: path });
  expect(relationImports).toMatchObject([{ relation: 'milestones', status: 'finished' }]);
  const trackers = await calls.get(`/projects/${encodeURIComponent(path)}/relation-imports`);
  expect(trackers).toMatchObject([{ relation: 'milestones', status: 'finished' }]);
});
