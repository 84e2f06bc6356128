// @ts-check
/** @file The most memory that this process had resident so far, in megabytes; for measured processes, so plain JavaScript. */
import { readFileSync } from 'node:fs';

export function peakMegabytes() {
  // `maxRSS` may carry over the peak of the process that started this one.
  return process.platform === 'linux'
    ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
    : process.resourceUsage().maxRSS / 1024;
}
