/** @file Worker thread that opens the catalogue, which checks and copies it. On the main thread, this would block. */
import { workerData } from 'node:worker_threads';
import { systemClock } from '../../platform/clock.ts';
import { openCatalogue } from '../database.ts';

export interface CopyInput {
  path: string;
  /** Epoch milliseconds. */
  now: number;
}

const { path, now } = workerData as CopyInput;
openCatalogue({ path, clock: { ...systemClock, now: () => now } }).close();
