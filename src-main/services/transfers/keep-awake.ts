/** @file Keeps the machine awake while a job sends or receives a file, including pauses in the middle. */
import type { Power } from '../../platform/power.ts';
import type { RemoteInstance } from '../instances/remote/remote-instance.ts';

export async function keepAwakeDuring<T>(power: Power, transfer: () => Promise<T>): Promise<T> {
  const allowSleep = power.keepAwake();
  try {
    return await transfer();
  } finally {
    allowSleep();
  }
}

/** Returns an instance that keeps the machine awake during its transfers. */
export function withKeepAwake(remote: RemoteInstance, power: Power): RemoteInstance {
  return {
    ...remote,
    downloadExport: (...args) => keepAwakeDuring(power, () => remote.downloadExport(...args)),
    importFile: (...args) => keepAwakeDuring(power, () => remote.importFile(...args)),
    importRelation: (...args) => keepAwakeDuring(power, () => remote.importRelation(...args)),
    changes: {
      ...remote.changes,
      upload: (...args) => keepAwakeDuring(power, () => remote.changes.upload(...args)),
    },
  };
}
