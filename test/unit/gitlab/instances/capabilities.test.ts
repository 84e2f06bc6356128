import { expect, test } from 'vitest';
import { requireCapability } from '../../../../src-main/gitlab/instances/capabilities.ts';

test.each(['17.2.0', '17.2', 'v17.2.1', '17.2.0-pre', '17.10.3-ee', '18.0.0', '100.0'])(
  'version %s is new enough',
  (version) => {
    expect(() => {
      requireCapability(version, 'upload-list');
    }).not.toThrow();
  },
);

test.each([
  ['17.1.9', '17.1'],
  ['16.11.0-ee', '16.11'],
  ['9.5.10', '9.5'],
  ['17.0', '17.0'],
])('version %s is too old, and the error names it as %s', (version, release) => {
  expect(() => {
    requireCapability(version, 'upload-list');
  }).toThrow(
    expect.objectContaining({
      code: 'server-too-old',
      message: `Listing uploads needs GitLab 17.2; this instance has GitLab ${release}.`,
    }) as Error,
  );
});

test.each([null, '', 'unknown', '17', 'x17.1'])(
  'the unknown version %s throws nothing, so that the server decides',
  (version) => {
    expect(() => {
      requireCapability(version, 'upload-list');
    }).not.toThrow();
  },
);
