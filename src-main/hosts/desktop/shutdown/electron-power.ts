/** @file Keeps the machine awake with Electron's power save blocker. */
import { powerSaveBlocker } from 'electron';
import { sharedPower } from '../../../platform/power.ts';

export const electronPower = sharedPower(() => {
  const id = powerSaveBlocker.start('prevent-app-suspension');
  return () => {
    powerSaveBlocker.stop(id);
  };
});
