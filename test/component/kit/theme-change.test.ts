import { afterEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { commands } from 'vitest/browser';
import Button from '../../../src-renderer/kit/controls/Button.svelte';

const frame = (): Promise<number> => new Promise(requestAnimationFrame);

afterEach(() => commands.setSystem('light', 'reduce'));

test('a button does not animate its colours when the system changes to dark', async () => {
  await commands.setSystem('light', 'no-preference');
  await render(Button, { label: 'Back up', onclick: () => undefined });
  const eased: string[] = [];
  const note = ({ propertyName }: TransitionEvent): void => {
    eased.push(propertyName);
  };
  document.addEventListener('transitionrun', note);
  try {
    await commands.setSystem('dark', 'no-preference');
    for (let frames = 0; frames < 4; frames++) await frame();
    expect(window.matchMedia('(prefers-color-scheme: dark)').matches).toBe(true);
    expect(eased).toEqual([]);
  } finally {
    document.removeEventListener('transitionrun', note);
  }
});
