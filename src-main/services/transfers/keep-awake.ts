/** @file Keeps the machine awake while a job sends or receives a file, including pauses in the middle. */
import type { Power } from '../../platform/power.ts';
import type { RemoteInstance } from '../instances/remote/remote-instance.ts';

export function withKeepAwake(remote: RemoteInstance, power: Power): RemoteInstance {
  async function keepAwakeDuring<T>(transfer: () => Promise<T>): Promise<T> {
    const allowSleep = power.keepAwake();
    try {
      return await transfer();
    } finally {
      allowSleep();
    }
  }
  return {
    ...remote,
    downloadExport: (...args) => keepAwakeDuring(() => remote.downloadExport(...args)),
    importFile: (...args) => keepAwakeDuring(() => remote.importFile(...args)),
    importRelation: (...args) => keepAwakeDuring(() => remote.importRelation(...args)),
    changes: {
      ...remote.changes,
      upload: (...args) => keepAwakeDuring(() => remote.changes.upload(...args)),
    },
  };
}
