/** @file A data folder with a registered instance, for processes that get its token in their environment. */
import { composeApp } from '../../../src-main/compose/compose.ts';
import { inProcessClient } from '../../../src-main/bridge/transports/in-process.ts';

/** Registers the instance without storing the token. */
export async function registerInstance(
  dataDir: string,
  instance: { name: string; url: string; token: string },
): Promise<void> {
  const { name, url, token } = instance;
  const app = await composeApp({ env: {}, dataDir });
  const client = inProcessClient(app.dispatch, new AbortController().signal);
  await client.call('instance.setToken', { name, token, keep: 'session' });
  await client.call('instance.add', { name, url, caFile: null, pace: 'sandbox', keep: 'session' });
  await app.close();
}
