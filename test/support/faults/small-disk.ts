/** @file Real disks that are full soon. */
import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { requirement } from '../requirement.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const mount = (...args: string[]): void => {
  execFileSync('mount', args, { stdio: 'pipe' });
};

/** A disk of its own, for one test; sizes as `mount` takes them. */
export function smallDisk(): { root: string; resize: (options: string) => void } {
  const root = temporaryFolder();
  mount('-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', root);
  onTestFinished(() => {
    execFileSync('umount', ['-l', root]);
  });
  return {
    root,
    resize: (options) => {
      mount('-o', `remount,${options}`, root);
    },
  };
}

function mayMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

/** Whether there can be none here, for `skipIf`. */
export const noSmallDisk = requirement(
  'a small disk',
  mayMount(),
  'run the tests as root on Linux, where tmpfs may be mounted',
);
