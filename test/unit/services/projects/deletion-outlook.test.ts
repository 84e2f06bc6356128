import { expect, it } from 'vitest';
import { predictDeletion } from '../../../../src-main/services/projects/deletion-forecast.ts';

const now = Date.UTC(2026, 10, 20, 12);

it.each<[string, string | null, string | null, { delayed: boolean | null; finalOn: string | null }]>([
  ['is marked first since 18.0', null, '18.0.0-ee', { delayed: true, finalOn: '2026-12-20' }],
  ['is marked first by later releases', null, '19.2.1', { delayed: true, finalOn: '2026-12-20' }],
  ['may be deleted at once before', null, '17.11.4-ee', { delayed: null, finalOn: null }],
  ['may be deleted at once where the release is unknown', null, null, { delayed: null, finalOn: null }],
  ['is gone at once where it is marked already', '2026-11-01', '18.5.0', { delayed: false, finalOn: null }],
])('a project that is deleted %s', (_what, markedOn, version, outlook) => {
  expect(predictDeletion(markedOn, version, now)).toEqual(outlook);
});
