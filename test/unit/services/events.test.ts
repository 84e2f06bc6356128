import { expect, test } from 'vitest';
import { createEvents } from '../../../src-main/services/events.ts';
import { events as schemas } from '../../../src-contract/calls.ts';

test('each kind of change counts its own revisions, and an event of a job has the revision of the job', () => {
  const events = createEvents();
  const received: unknown[] = [];
  events.subscribe((name, payload) => {
    received.push([name, schemas[name].parse(payload)]);
  });
  events.announce('instance.changed', { name: 'work' });
  events.announce('settings.changed', {});
  events.announce('instance.changed', { name: 'home' });
  events.announceJobChange({ jobId: 'j', runId: 'r', revision: 7 });
  expect(received).toEqual([
    ['instance.changed', { name: 'work', revision: 1 }],
    ['settings.changed', { revision: 1 }],
    ['instance.changed', { name: 'home', revision: 2 }],
    ['job.changed', { jobId: 'j', runId: 'r', revision: 7 }],
  ]);
});

test('a listener that unsubscribed receives no more events, and the other listeners do', () => {
  const events = createEvents();
  const received: string[] = [];
  const unsubscribe = events.subscribe(() => received.push('one'));
  events.subscribe(() => received.push('two'));
  unsubscribe();
  events.announce('settings.changed', {});
  expect(received).toEqual(['two']);
});
