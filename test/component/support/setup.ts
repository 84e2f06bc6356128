/**
 * @file Setup of every component test: the window's own styles, a silent console, nothing left from the previous test.
 */
import { afterEach, beforeAll, expect } from 'vitest';
import { cleanup } from 'vitest-browser-svelte';
import { commands } from 'vitest/browser';
import '../../../src-renderer/kit/tokens.css';
import '../../../src-renderer/kit/base.css';
import './commands.ts';
import { forgetWindow } from './window.ts';

beforeAll(async () => {
  await commands.recordConsole();
});

afterEach(async () => {
  cleanup();
  forgetWindow();
  expect(await commands.consoleMessages(), 'The app wrote to the console').toEqual([]);
});
