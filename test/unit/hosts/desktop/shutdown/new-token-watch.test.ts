import { beforeEach, expect, test } from 'vitest';
import {
  watchNewTokens,
  type NewTokenWatch,
} from '../../../../../src-main/hosts/desktop/shutdown/new-token-watch.ts';
import { SteppedClock } from '../../../../support/clocks/stepped-clock.ts';

let clock: SteppedClock;
let unstored: { instance: string; name: string }[];
let reports: number;
let watch: NewTokenWatch;
beforeEach(() => {
  clock = new SteppedClock();
  unstored = [];
  reports = 0;
  watch = watchNewTokens({
    clock,
    newTokens: {
      get unstored() {
        return unstored;
      },
    },
    onUnstored: () => (reports += 1),
  });
});
const changed = () => {
  watch.handleEvent('job.changed');
};

test('a token that the keychain stores soon is not reported', async () => {
  unstored = [{ instance: 'work', name: 'packhorse' }];
  changed();
  await clock.advance(1_999);
  unstored = [];
  await clock.advance(60_000);
  expect([reports, clock.pending]).toEqual([0, 0]);
});

test('a token that the keychain does not store is reported once, however often the job tries', async () => {
  unstored = [{ instance: 'work', name: 'packhorse' }];
  for (let tries = 0; tries < 5; tries += 1) {
    changed();
    changed();
    await clock.advance(15_000);
  }
  expect(reports).toBe(1);
});

test('the next token is reported too', async () => {
  unstored = [{ instance: 'work', name: 'packhorse' }];
  changed();
  await clock.advance(2_000);
  unstored = [];
  changed();
  unstored = [{ instance: 'lab', name: 'packhorse' }];
  changed();
  await clock.advance(2_000);
  expect(reports).toBe(2);
});

test('another token is reported even while the keychain still lacks the first', async () => {
  unstored = [{ instance: 'work', name: 'packhorse' }];
  changed();
  await clock.advance(2_000);
  unstored.push({ instance: 'lab', name: 'packhorse' });
  changed();
  await clock.advance(2_000);
  expect(reports).toBe(2);
  unstored.push({ instance: 'lab', name: 'packhorse spare' });
  changed();
  await clock.advance(2_000);
  changed();
  await clock.advance(2_000);
  expect(reports).toBe(3);
});

test('a token of the same name is reported again after another one', async () => {
  unstored = [{ instance: 'work', name: 'packhorse' }];
  changed();
  await clock.advance(2_000);
  unstored = [{ instance: 'lab', name: 'packhorse' }];
  changed();
  await clock.advance(2_000);
  unstored = [{ instance: 'work', name: 'packhorse' }];
  changed();
  await clock.advance(2_000);
  expect(reports).toBe(3);
});

test('nothing is reported after the watch is stopped', async () => {
  unstored = [{ instance: 'work', name: 'packhorse' }];
  changed();
  watch.stop();
  await clock.advance(2_000);
  expect([reports, clock.pending]).toEqual([0, 0]);
});
