import { expect, test } from 'vitest';
import { formatBytes, formatTime } from '../../../src-renderer/ui/format.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [1_550, '1.6 kB'],
  [527_400_123, '527.4 MB'],
  [2_400_123_456, '2.4 GB'],
  [3_000_000_000_000, '3 TB'],
  [5_000_000_000_000_000, '5,000 TB'],
])('%d bytes read as "%s"', (bytes, text) => {
  expect(formatBytes(bytes, 'en')).toBe(text);
});

test('a time is shown in the local zone', () => {
  expect(formatTime('2026-11-20T23:30:00.000Z', 'en-GB')).toBe('21 Nov 2026, 00:30');
});
