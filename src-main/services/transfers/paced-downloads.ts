/**
 * @file Downloads files for a person the way jobs download archives: shares the rate limit, resumes interrupted
 * downloads, and keeps the machine awake.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { FileSink } from './downloaded-file.ts';
import {
  waitForFirstSlot,
  waitBeforeResume,
  type DownloadSlots,
} from '../../jobs/exporting/download-pause.ts';
import type { RateLimiter } from '../../jobs/running/rate-limiter.ts';
import type { DownloadSink } from '../../jobs/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Power } from '../../platform/power.ts';
import type { Connections } from '../instances/connections.ts';
import { keepAwakeDuring } from './keep-awake.ts';

export type PacedDownloads = ReturnType<typeof createPacedDownloads>;

interface Deps {
  connections: Connections;
  rateLimiter: RateLimiter;
  clock: Clock;
  power: Power;
}

export function createPacedDownloads(deps: Deps) {
  const { connections, rateLimiter, clock, power } = deps;
  /**
   * The rate limit counts from the response: `release` is called after every response, and after a request that ended
   * without one.
   */
  interface Slots extends DownloadSlots {
    release(): void;
  }
  function slotsOf({ name, pace: limits }: Instance, project: string, signal: AbortSignal): Slots {
    const args = [name, limits, 'download', project] as const;
    return {
      reserve: () => rateLimiter.reserve(...args),
      async waitToSend() {
        for (let wait = rateLimiter.trySend(...args); wait > 0; wait = rateLimiter.trySend(...args)) {
          await clock.sleep(wait, signal);
        }
      },
      release: () => {
        rateLimiter.release(...args);
      },
    };
  }
  const createSink = (
    { pace: limits }: Instance,
    sink: FileSink,
    slots: Slots | null,
    signal: AbortSignal,
  ): DownloadSink => ({
    async onStart({ totalBytes }) {
      slots?.release();
      await sink.begin(totalBytes);
    },
    onChunk: (chunk) => sink.write(chunk),
    async beforeResume(interruption) {
      slots?.release();
      await waitBeforeResume(interruption, { clock, signal, pace: limits, slots });
    },
  });

  return {
    /**
     * Downloads the account's own finished export. Waits for the rate limit for about 90 s at most, then throws
     * `rate-limited`.
     */
    fetchExport: (
      instance: Instance,
      { id, fullPath }: { id: number; fullPath: string },
      sink: FileSink,
      signal: AbortSignal,
    ) =>
      keepAwakeDuring(power, async () => {
        const slots = slotsOf(instance, fullPath, signal);
        const limitError = new AppError('rate-limited', 'Too many downloads in this minute.', {
          retry: 'later',
          details: { project: fullPath },
        });
        try {
          await waitForFirstSlot(limitError, { clock, signal, slots });
          await connections
            .connect(instance)
            .downloadExport(id, createSink(instance, sink, slots, signal), signal);
        } finally {
          slots.release();
        }
      }),
    // Only downloads of exports are limited.
    /** Downloads a file that was uploaded to a project. `project` is a full path or an id. */
    fetchUpload: (
      instance: Instance,
      { project, uploadId }: { project: string; uploadId: number },
      sink: FileSink,
      signal: AbortSignal,
    ) =>
      keepAwakeDuring(power, () =>
        connections
          .connect(instance)
          .downloadUpload(project, uploadId, createSink(instance, sink, null, signal), signal),
      ),
  };
}
