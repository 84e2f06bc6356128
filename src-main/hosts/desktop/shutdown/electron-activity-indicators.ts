/** @file Activity shown outside the window: progress in the taskbar, notifications, and keeping the machine awake. */
import { Notification, type BrowserWindow } from 'electron';
import type { NotificationTarget } from '../../../../src-contract/host.ts';
import type { Power } from '../../../platform/power.ts';
import type { Activity } from '../tray/activity.ts';
import type { Notice } from '../tray/notices.ts';

export function createActivityIndicators(
  window: BrowserWindow,
  power: Power,
  open: (target: NotificationTarget) => void,
) {
  let allowSleep: (() => void) | null = null;
  // Without a reference, a notification is garbage-collected and its click is lost.
  const openNotifications = new Set<Notification>();
  return {
    show({ isBusy, progress }: Activity): void {
      if (!window.isDestroyed()) window.setProgressBar(progress ?? -1);
      if (isBusy) {
        allowSleep ??= power.keepAwake();
      } else {
        allowSleep?.();
        allowSleep = null;
      }
    },
    notify({ title, body, target }: Notice): void {
      if (!Notification.isSupported()) return;
      const notification = new Notification({ title, body });
      const release = (): void => {
        openNotifications.delete(notification);
      };
      notification.on('click', () => {
        release();
        open(target);
      });
      notification.on('close', release);
      notification.on('failed', release);
      openNotifications.add(notification);
      notification.show();
    },
  };
}
