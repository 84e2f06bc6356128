import { beforeEach, expect, test } from 'vitest';
import {
  watchNewTokens,
  type NewTokenWatch,
} from '../../../../../src-main/hosts/desktop/shutdown/new-token-watch.ts';
import { SteppedClock } from '../../../../support/clocks/stepped-clock.ts';

let clock: SteppedClock;
let unkept: { instance: string; name: string }[];
let told: number;
let watch: NewTokenWatch;
beforeEach(() => {
  clock = new SteppedClock();
  unkept = [];
  told = 0;
  watch = watchNewTokens({
    clock,
    newTokens: {
      get unkept() {
        return unkept;
      },
    },
    onUnkept: () => (told += 1),
  });
});
const changed = () => {
  watch.handleEvent('job.changed');
};

test('a keychain that takes the token soon is no news', async () => {
  unkept = [{ instance: 'work', name: 'packhorse' }];
  changed();
  await clock.advance(1_999);
  unkept = [];
  await clock.advance(60_000);
  expect([told, clock.pending]).toEqual([0, 0]);
});

test('a token that it does not store is reported once, however often the job tries', async () => {
  unkept = [{ instance: 'work', name: 'packhorse' }];
  for (let tries = 0; tries < 5; tries += 1) {
    changed();
    changed();
    await clock.advance(15_000);
  }
  expect(told).toBe(1);
});

test('the next token is reported again', async () => {
  unkept = [{ instance: 'work', name: 'packhorse' }];
  changed();
  await clock.advance(2_000);
  unkept = [];
  changed();
  unkept = [{ instance: 'lab', name: 'packhorse' }];
  changed();
  await clock.advance(2_000);
  expect(told).toBe(2);
});

test('another token is reported even while the keychain still lacks the first', async () => {
  unkept = [{ instance: 'work', name: 'packhorse' }];
  changed();
  await clock.advance(2_000);
  unkept.push({ instance: 'lab', name: 'packhorse' });
  changed();
  await clock.advance(2_000);
  expect(told).toBe(2);
  unkept.push({ instance: 'lab', name: 'packhorse spare' });
  changed();
  await clock.advance(2_000);
  changed();
  await clock.advance(2_000);
  expect(told).toBe(3);
});

test('a token of the same name is reported again after another one', async () => {
  unkept = [{ instance: 'work', name: 'packhorse' }];
  changed();
  await clock.advance(2_000);
  unkept = [{ instance: 'lab', name: 'packhorse' }];
  changed();
  await clock.advance(2_000);
  unkept = [{ instance: 'work', name: 'packhorse' }];
  changed();
  await clock.advance(2_000);
  expect(told).toBe(3);
});

test('nothing is reported after stop', async () => {
  unkept = [{ instance: 'work', name: 'packhorse' }];
  changed();
  watch.stop();
  await clock.advance(2_000);
  expect([told, clock.pending]).toEqual([0, 0]);
});
