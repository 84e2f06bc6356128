/**
 * @file Worker thread: opens the catalogue once more, which checks it and makes the copy that is due, and closes it. Others read
 * and write meanwhile; a check of a large catalogue would keep the thread that answers people from doing so.
 */
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
