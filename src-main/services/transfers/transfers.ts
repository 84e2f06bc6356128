/**
 * @file Fetches files for a person as patiently as jobs fetch archives: they share the download limit, a broken download is
 * resumed, and the machine stays awake.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { FileSink } from './downloaded-file.ts';
import { firstTurn, pauseDownload, type DownloadTurns } from '../../jobs/exporting/download-pause.ts';
import type { RateLimiter } from '../../jobs/running/rate-limiter.ts';
import type { DownloadSink } from '../../jobs/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Power } from '../../platform/power.ts';
import type { Connections } from '../instances/connections.ts';

export type Transfers = ReturnType<typeof createTransfers>;

interface Parts {
  connections: Connections;
  pace: RateLimiter;
  clock: Clock;
  power: Power;
}

export function createTransfers(parts: Parts) {
  const { connections, pace, clock, power } = parts;
  async function awake(transfer: () => Promise<void>): Promise<void> {
    const letSleep = power.keepAwake();
    try {
      await transfer();
    } finally {
      letSleep();
    }
  }
  /** A request within a minute after a response is too soon, so every response counts, and every end without one. */
  interface Turns extends DownloadTurns {
    answered(): void;
  }
  function turnsOf({ name, pace: limits }: Instance, project: string, signal: AbortSignal): Turns {
    const of = [name, limits, 'download', project] as const;
    return {
      take: () => pace.reserve(...of),
      async leave() {
        for (let wait = pace.waitToSend(...of); wait > 0; wait = pace.waitToSend(...of)) {
          await clock.sleep(wait, signal);
        }
      },
      answered: () => {
        pace.release(...of);
      },
    };
  }
  const patient = (
    { pace: limits }: Instance,
    sink: FileSink,
    turns: Turns | null,
    signal: AbortSignal,
  ): DownloadSink => ({
    async onStart({ totalBytes }) {
      turns?.answered();
      await sink.begin(totalBytes);
    },
    onChunk: (chunk) => sink.write(chunk),
    async beforeResume(cut) {
      turns?.answered();
      await pauseDownload(cut, { clock, signal, pace: limits, turns });
    },
  });

  return {
    /** The account's own export, which has to be finished. Waits for its turn, at most some 90 s, else `rate-limited`. */
    fetchExport: (
      instance: Instance,
      { id, fullPath }: { id: number; fullPath: string },
      sink: FileSink,
      signal: AbortSignal,
    ) =>
      awake(async () => {
        const turns = turnsOf(instance, fullPath, signal);
        const otherwise = new AppError('rate-limited', 'Too many downloads in this minute.', {
          retry: 'later',
          details: { project: fullPath },
        });
        try {
          await firstTurn(otherwise, { clock, signal, turns });
          await connections
            .connect(instance)
            .downloadExport(id, patient(instance, sink, turns, signal), signal);
        } finally {
          turns.answered();
        }
      }),
    // Only downloads of exports are limited.
    /** A file that was uploaded for the texts of a project, given by full path or id. */
    fetchUpload: (
      instance: Instance,
      { project, uploadId }: { project: string; uploadId: number },
      sink: FileSink,
      signal: AbortSignal,
    ) =>
      awake(() =>
        connections
          .connect(instance)
          .downloadUpload(project, uploadId, patient(instance, sink, null, signal), signal),
      ),
  };
}
