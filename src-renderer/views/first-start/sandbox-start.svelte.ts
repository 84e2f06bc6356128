/**
 * @file Opening the built-in sandbox and fetching the lists of its projects. It outlives the view in which it was begun: as
 * soon as there is an instance, the first start is over.
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

  /** Ends on the projects, unless another view was gone to meanwhile. */
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
