/** @file Small real disks. */
import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { requirement } from '../requirement.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const mount = (...args: string[]): void => {
  execFileSync('mount', args, { stdio: 'pipe' });
};

/** Mounts a disk for one test; sizes in the format of `mount`. */
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

/** Whether this machine cannot mount a small disk, for `skipIf`. */
export const noSmallDisk = requirement(
  'a small disk',
  mayMount(),
  'run the tests as root on Linux, where tmpfs may be mounted',
);
