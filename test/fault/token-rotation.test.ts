/**
 * @file Interrupts token rotations with the real keychain at random points. `npm run bench -- rotation` does ten times as
 * many.
 */
import { expect, test } from 'vitest';
import { hasKeychainPrograms } from '../support/keychain/keychain-session.ts';
import { requirement } from '../support/requirement.ts';
import { rotateAtRandom } from '../support/tokens/rotations.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const missing = requirement(
  'the keychain of Linux (D-Bus, gnome-keyring, libsecret)',
  hasKeychainPrograms(),
  'apt-get install libsecret-1-0 gnome-keyring dbus',
);

test.skipIf(missing)(
  'fifty token rotations with the real keychain, interrupted at random points, lose no token that could be kept',
  async () => {
    const tally = await rotateAtRandom({ folder: temporaryFolder(), rounds: 50, seed: 20_261_120 });
    expect(tally.violations).toEqual([]);
    expect(tally.rounds).toBe(50);
    // With fewer interruptions the test would prove nothing.
    expect(tally.cut).toBeGreaterThan(20);
  },
);
