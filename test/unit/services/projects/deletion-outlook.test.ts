import { expect, it } from 'vitest';
import { predictDeletion } from '../../../../src-main/services/projects/deletion-forecast.ts';

const now = Date.UTC(2026, 10, 20, 12);

it.each<[string, string | null, string | null, { delayed: boolean | null; finalOn: string | null }]>([
  ['is only marked at first since GitLab 18.0', null, '18.0.0-ee', { delayed: true, finalOn: '2026-12-20' }],
  ['is only marked at first by later releases', null, '19.2.1', { delayed: true, finalOn: '2026-12-20' }],
  ['may be deleted at once before GitLab 18.0', null, '17.11.4-ee', { delayed: null, finalOn: null }],
  ['may be deleted at once if the release is unknown', null, null, { delayed: null, finalOn: null }],
  ['is deleted at once if it is already marked', '2026-11-01', '18.5.0', { delayed: false, finalOn: null }],
])('a project whose deletion is requested %s', (_what, markedOn, version, forecast) => {
  expect(predictDeletion(markedOn, version, now)).toEqual(forecast);
});
