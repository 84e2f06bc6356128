/**
 * @file Opens the built-in sandbox and fetches its project lists. The start outlives the view that requested it,
 * because that view closes as soon as an instance exists.
 */
import type { ErrorData } from '../../../src-contract/errors.ts';
import { call } from '../../client.ts';
import { router } from '../../data/places/router.svelte.ts';
import { listRefreshes } from '../instances/list-refreshes.svelte.ts';

class SandboxStart {
  phase = $state<'idle' | 'opening' | 'listing'>('idle');
  error = $state.raw<ErrorData | null>(null);

  get busy(): boolean {
    return this.phase !== 'idle';
  }

  /** Shows the projects at the end, unless the user opened another view meanwhile. */
  async open(): Promise<void> {
    if (this.busy) return;
    const from = router.view;
    this.phase = 'opening';
    this.error = null;
    const opened = await call('sandbox.open', {});
    if (opened.ok) {
      this.phase = 'listing';
      await Promise.all(opened.value.instances.map(({ name }) => listRefreshes.start(name)));
      if (router.view === from) router.go('projects');
    } else {
      this.error = opened.error;
    }
    this.phase = 'idle';
  }
}

export const sandboxStart = new SandboxStart();
