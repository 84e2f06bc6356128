import { describe, expect, test } from 'vitest';
import { startProblem } from '../../../../src-main/hosts/start/obstacles.ts';

const linux = { platform: 'linux', uid: 1000, env: { DISPLAY: ':0' } } as const;

describe('no window is opened', () => {
  test.each([{}, { DISPLAY: '' }, { WAYLAND_DISPLAY: '' }, { XDG_SESSION_TYPE: 'wayland' }])(
    'on Linux without a display: %j',
    (env) => {
      expect(startProblem({ ...linux, env })).toMatch(/no display.*DISPLAY nor WAYLAND_DISPLAY/);
    },
  );

  test('on Linux for root, whose windows have no sandbox', () => {
    expect(startProblem({ ...linux, uid: 0 })).toMatch(/root.*sandbox/);
  });

  test('on Linux for root without a display, and the missing display is reported first', () => {
    expect(startProblem({ ...linux, uid: 0, env: {} })).toMatch(/display/);
  });
});

test.each([
  linux,
  { ...linux, env: { WAYLAND_DISPLAY: 'wayland-0' } },
  { platform: 'darwin', uid: 0, env: {} },
  { platform: 'win32', uid: null, env: {} },
] as const)('a window can be opened: %j', (machine) => {
  expect(startProblem(machine)).toBeNull();
});
