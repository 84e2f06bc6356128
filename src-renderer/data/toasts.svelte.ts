/** @file Short messages about what just happened. The same information is always shown elsewhere, too. */
import type { Tone } from '../kit/feedback/tones.ts';

export interface Toast {
  id: number;
  tone: Tone;
  text: string;
  action?: { label: string; run: () => void };
}

class Toasts {
  list = $state<Toast[]>([]);
  #last = 0;

  /** Errors stay until they are dismissed, or until some seconds after another view is opened. */
  show(tone: Tone, text: string, action?: Toast['action']): void {
    this.#last += 1;
    const toast: Toast = { id: this.#last, tone, text, ...(action === undefined ? {} : { action }) };
    this.list = [...this.list.slice(-3), toast];
    if (tone !== 'bad') this.#dismissLater(toast);
  }

  onViewChange(): void {
    for (const toast of this.list) if (toast.tone === 'bad') this.#dismissLater(toast);
  }

  #dismissLater({ id, action }: Toast): void {
    setTimeout(
      () => {
        this.dismiss(id);
      },
      action === undefined ? 6000 : 12_000,
    );
  }

  dismiss(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }
}

export const toasts = new Toasts();
