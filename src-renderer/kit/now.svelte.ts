/** @file The current time, updated twice a minute, for every text that says how long ago something was. */
class Now {
  value = $state(Date.now());

  constructor() {
    setInterval(() => {
      if (document.visibilityState === 'visible') this.value = Date.now();
    }, 30_000);
    document.addEventListener('visibilitychange', () => {
      this.value = Date.now();
    });
  }
}

export const now = new Now();
