import { expect, test } from 'vitest';
import { createEvents } from '../../../src-main/services/events.ts';
import { events as schemas } from '../../../src-contract/calls.ts';

test('each kind of change counts its own revisions, and a job keeps its own', () => {
  const events = createEvents();
  const heard: unknown[] = [];
  events.subscribe((name, payload) => {
    heard.push([name, schemas[name].parse(payload)]);
  });
  events.announce('instance.changed', { name: 'work' });
  events.announce('settings.changed', {});
  events.announce('instance.changed', { name: 'home' });
  events.announceJobChange({ jobId: 'j', runId: 'r', revision: 7 });
  expect(heard).toEqual([
    ['instance.changed', { name: 'work', revision: 1 }],
    ['settings.changed', { revision: 1 }],
    ['instance.changed', { name: 'home', revision: 2 }],
    ['job.changed', { jobId: 'j', runId: 'r', revision: 7 }],
  ]);
});

test('whoever unsubscribed hears nothing more, the others do', () => {
  const events = createEvents();
  const heard: string[] = [];
  const leave = events.subscribe(() => heard.push('one'));
  events.subscribe(() => heard.push('two'));
  leave();
  events.announce('settings.changed', {});
  expect(heard).toEqual(['two']);
});
