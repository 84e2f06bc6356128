import { expect, test } from 'vitest';
import { watchNetwork } from '../../../../../src-main/hosts/desktop/tray/network.ts';
import { SteppedClock } from '../../../../support/clocks/stepped-clock.ts';

test('each return of the network is reported once, until the watch is stopped', async () => {
  const clock = new SteppedClock();
  let online = true;
  let returns = 0;
  const stop = watchNetwork(
    clock,
    () => online,
    () => (returns += 1),
  );
  await clock.advance(20_000);
  expect(returns).toBe(0);
  for (const isOnline of [false, true, true, false, true]) {
    online = isOnline;
    await clock.advance(5_000);
  }
  expect(returns).toBe(2);
  stop();
  expect(clock.pending).toBe(0);
});
