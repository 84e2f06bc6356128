import { beforeEach, expect, test } from 'vitest';
import { NewTokenWatch } from '../../../../src-main/hosts/desktop/new-token-watch.ts';
import { SteppedClock } from '../../../support/stepped-clock.ts';

let clock: SteppedClock;
let unkept: { instance: string; name: string }[];
let told: number;
let watch: NewTokenWatch;
beforeEach(() => {
  clock = new SteppedClock();
  unkept = [];
  told = 0;
  watch = new NewTokenWatch({
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
  watch.heard('job.changed');
};

test('a keychain that takes the token soon is no news', async () => {
  unkept = [{ instance: 'work', name: 'packhorse' }];
  changed();
  await clock.advance(1_999);
  unkept = [];
  await clock.advance(60_000);
  expect([told, clock.pending]).toEqual([0, 0]);
});

test('one that does not is told of once, however often the job tries', async () => {
  unkept = [{ instance: 'work', name: 'packhorse' }];
  for (let tries = 0; tries < 5; tries += 1) {
    changed();
    changed();
    await clock.advance(15_000);
  }
  expect(told).toBe(1);
});

test('the next one is told of again', async () => {
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

test('nothing is told of once it was stopped', async () => {
  unkept = [{ instance: 'work', name: 'packhorse' }];
  changed();
  watch.stop();
  await clock.advance(2_000);
  expect([told, clock.pending]).toEqual([0, 0]);
});
