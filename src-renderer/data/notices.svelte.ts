/** @file Short words about what just happened, shown for a while at the edge of the window. Never the only trace of it. */
import type { Tone } from '../kit/feedback/tones.ts';

export interface Said {
  id: number;
  tone: Tone;
  text: string;
  /** One thing that can be done about it, such as undoing it. */
  action?: { label: string; run: () => void };
}

class Notices {
  list = $state<Said[]>([]);
  #last = 0;

  /** Bad ones stay until they are dismissed, or until some seconds after another view was opened. */
  say(tone: Tone, text: string, action?: Said['action']): void {
    this.#last += 1;
    const said: Said = { id: this.#last, tone, text, ...(action === undefined ? {} : { action }) };
    this.list = [...this.list.slice(-3), said];
    if (tone !== 'bad') this.#letGo(said);
  }

  /** Another view was opened, which has nothing to do with what failed in the last one. */
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
