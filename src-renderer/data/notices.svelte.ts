/**
 * @file Short messages about what just happened, shown for a while at the edge of the window. They are never the only
 * trace of it.
 */
import type { Tone } from '../kit/feedback/tones.ts';

export interface Said {
  id: number;
  tone: Tone;
  text: string;
  /** One action that the message offers, such as undo. */
  action?: { label: string; run: () => void };
}

class Notices {
  list = $state<Said[]>([]);
  #last = 0;

  /** Errors stay until they are dismissed, or until some seconds after another view is opened. */
  say(tone: Tone, text: string, action?: Said['action']): void {
    this.#last += 1;
    const said: Said = { id: this.#last, tone, text, ...(action === undefined ? {} : { action }) };
    this.list = [...this.list.slice(-3), said];
    if (tone !== 'bad') this.#letGo(said);
  }

  /** Call it when another view is opened, which has nothing to do with a failure in the last one. */
  viewWasLeft(): void {
    for (const said of this.list) if (said.tone === 'bad') this.#letGo(said);
  }

  #letGo({ id, action }: Said): void {
    setTimeout(
      () => {
        this.dismiss(id);
      },
      action === undefined ? 6000 : 12_000,
    );
  }

  dismiss(id: number): void {
    this.list = this.list.filter((said) => said.id !== id);
  }
}

export const notices = new Notices();
