/** @file Detects what keeps Electron from showing a window on this machine, to avoid a useless download. Pure. */

/** Returns the reason as a sentence without its full stop, or null if Electron can run. `uid` is null on Windows. */
export function startProblem(machine: {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  uid: number | null;
}): string | null {
  const { platform, env, uid } = machine;
  if (platform !== 'linux') return null;
  if (!isSet(env['DISPLAY']) && !isSet(env['WAYLAND_DISPLAY'])) {
    return 'There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set)';
  }
  if (uid === 0)
    return 'Electron runs for root only without its sandbox, and Packhorse does not run it without a sandbox';
  return null;
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';
