/** @file The lists of boards, snippets, badges and schedules, and the push rule, with the fields of GitLab's entities. */
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src-main/sandbox/sandbox.ts';

const path = 'atlas/tools/caravan';

async function opened(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ clock: systemClock, projectCount: 6, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function read(
  { url }: Sandbox,
  token: string | null,
  below: string,
  project = path,
): Promise<{ status: number; body: unknown }> {
  const address = `${url}/api/v4/projects/${encodeURIComponent(project)}/${below}`;
  const reply = await fetch(address, token === null ? {} : { headers: { 'PRIVATE-TOKEN': token } });
  return { status: reply.status, body: await reply.json() };
}

/** Fields of `lib/api/entities` and `ee/lib/ee/api/entities` on Premium (gitlab-facts 5.6). */
const fields: Record<string, string> = {
  boards: 'id name hide_backlog_list hide_closed_list project lists group milestone assignee labels weight',
  snippets:
    'id title description visibility author created_at updated_at project_id web_url raw_url file_name files',
  badges: 'name link_url image_url rendered_link_url rendered_image_url id kind',
  pipeline_schedules: 'id description ref cron cron_timezone next_run_at active created_at updated_at owner',
};

test.each(Object.entries(fields))('the list of %s has the fields of GitLab', async (list, names) => {
  const sandbox = await opened();
  const { status, body } = await read(sandbox, sandbox.tokens.maintainer, list);
  expect(status).toBe(200);
  const [first] = body as object[];
  expect(Object.keys(first ?? {}).toSorted()).toEqual(names.split(' ').toSorted());
});

test('a board has its lists in order, without those of open and closed issues', async () => {
  const sandbox = await opened();
  const label = (title: string) => ({ title, color: '#112233' });
  sandbox.state.append(path, 'boards', {
    name: 'More',
    lists: [
      { list_type: 'backlog', position: null },
      { list_type: 'label', position: 0, label: label('Doing') },
      { list_type: 'milestone', position: 1, milestone: { title: '1.0' } },
      { list_type: 'closed', position: null },
    ],
  });
  const { body } = await read(sandbox, sandbox.tokens.maintainer, 'boards');
  expect((body as object[])[1]).toMatchObject({
    name: 'More',
    lists: [
      { label: { name: 'Doing', color: '#112233' }, position: 0 },
      { label: null, milestone: { title: '1.0' }, position: 1 },
    ],
  });
});

test('a push rule is for maintainers on Premium; a project without one has null', async () => {
  const sandbox = await opened();
  const { administrator, maintainer, developer } = sandbox.tokens;
  const { status, body } = await read(sandbox, maintainer, 'push_rule');
  expect([status, body]).toMatchObject([200, { file_name_regex: '(exe|jar)$', max_file_size: 100 }]);
  expect(await read(sandbox, developer, 'push_rule')).toMatchObject({ status: 403 });
  expect(await read(sandbox, administrator, 'push_rule', 'atlas/compass')).toEqual({
    ...{ status: 200, body: null },
  });
  const free = await opened({ tier: 'free' });
  expect(await read(free, free.tokens.maintainer, 'push_rule')).toMatchObject({ status: 404 });
});

test('badges are for every reader, and the other lists for accounts', async () => {
  const sandbox = await opened();
  const museum = 'atlas/museum';
  const publicSandbox = await opened({ projectCount: 8 });
  expect(await read(publicSandbox, null, 'badges', museum)).toEqual({ status: 200, body: [] });
  for (const list of ['boards', 'snippets', 'pipeline_schedules', 'push_rule'])
    expect(await read(publicSandbox, null, list, museum), list).toMatchObject({ status: 401 });
  expect(await read(sandbox, sandbox.tokens.guest, 'pipeline_schedules')).toMatchObject({ status: 403 });
});
