/** @file Keeps the machine awake by Electron's means. */
import { powerSaveBlocker } from 'electron';
import { sharedPower } from '../../../platform/power.ts';

/** The screen may go dark. */
export const electronPower = sharedPower(() => {
  const id = powerSaveBlocker.start('prevent-app-suspension');
  return () => {
    powerSaveBlocker.stop(id);
  };
});
