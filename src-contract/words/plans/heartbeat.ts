/** @file The reasons why the heartbeat of a run is not sent. */
import type { RunOutcome } from '../../runs/run.ts';

/** Each is the end of a sentence. Other outcomes do not prevent the heartbeat. */
export const noHeartbeatText: Partial<Record<RunOutcome, string>> = {
  running: 'the run has not ended',
  incomplete: 'an archive is incomplete or suspicious',
  'partly-failed': 'some backups failed',
  failed: 'the run failed',
  cancelled: 'the run was cancelled',
};
