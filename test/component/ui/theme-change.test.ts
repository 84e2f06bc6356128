import { afterEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { cdp } from 'vitest/browser';
import Button from '../../../src-renderer/ui/controls/Button.svelte';

/** How the system is set, as far as a page sees it. */
async function setSystem(scheme: 'light' | 'dark', motion: 'no-preference' | 'reduce'): Promise<void> {
  await cdp().send('Emulation.setEmulatedMedia', {
    features: [
      { name: 'prefers-color-scheme', value: scheme },
      { name: 'prefers-reduced-motion', value: motion },
    ],
  });
}

const frame = (): Promise<number> => new Promise(requestAnimationFrame);

afterEach(() => setSystem('light', 'reduce'));

test('where the system changes to dark, no button eases its colours', async () => {
  await setSystem('light', 'no-preference');
  await render(Button, { label: 'Back up', onclick: () => undefined });
  const eased: string[] = [];
  const note = ({ propertyName }: TransitionEvent): void => {
    eased.push(propertyName);
  };
  document.addEventListener('transitionrun', note);
  try {
    await setSystem('dark', 'no-preference');
    for (let frames = 0; frames < 4; frames++) await frame();
    expect(window.matchMedia('(prefers-color-scheme: dark)').matches).toBe(true);
    expect(eased).toEqual([]);
  } finally {
    document.removeEventListener('transitionrun', note);
  }
});
