/**
 * @file One of several processes that share an archive store, for tests. The command `store-child.ts <root> <path> prove
 * <level> <count>` adds `count` proofs to the archive one after the other. The command `store-child.ts <root> <path>
 * sweep` sweeps until its input ends.
 */
import { openArchiveStore } from '../../../src-main/archive/store.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { proofSchema } from '../../../src-contract/archives/archive-schema.ts';

const [root = '', path = '', what, level, count] = process.argv.slice(2);
const store = openArchiveStore({ root, clock: systemClock });

if (what === 'prove') {
  for (let number = 0; number < Number(count); number++) {
    const proof = proofSchema.parse({ level, at: new Date(number).toISOString(), detail: null });
    await store.updateState(path, (state) => ({ ...state, proofs: [...state.proofs, proof] }));
  }
} else {
  const input = { ended: false };
  process.stdin.resume().once('end', () => (input.ended = true));
  while (!input.ended) for (const swept of await store.sweep()) process.stdout.write(`${swept}\n`);
}
