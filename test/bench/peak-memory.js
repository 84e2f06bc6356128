// @ts-check
/** @file Reads the peak resident memory of this process, in megabytes. Plain JavaScript, because measured processes load it. */
import { readFileSync } from 'node:fs';

export function peakMegabytes() {
  // `maxRSS` may carry over the peak of the process that started this one.
  return process.platform === 'linux'
    ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
    : process.resourceUsage().maxRSS / 1024;
}
