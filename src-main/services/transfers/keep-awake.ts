/** @file Keeps the machine awake while a job sends or receives a file, including pauses in the middle. */
import type { Power } from '../../platform/power.ts';
import type { RemoteInstance } from '../instances/remote/remote-instance.ts';

export function withKeepAwake(remote: RemoteInstance, power: Power): RemoteInstance {
  async function awake<T>(transfer: () => Promise<T>): Promise<T> {
    const letSleep = power.keepAwake();
    try {
      return await transfer();
    } finally {
      letSleep();
    }
  }
  return {
    ...remote,
    downloadExport: (...call) => awake(() => remote.downloadExport(...call)),
    importFile: (...call) => awake(() => remote.importFile(...call)),
    importRelation: (...call) => awake(() => remote.importRelation(...call)),
    changes: { ...remote.changes, upload: (...call) => awake(() => remote.changes.upload(...call)) },
  };
}
