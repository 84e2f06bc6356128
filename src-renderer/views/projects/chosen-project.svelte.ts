/**
 * @file The project whose details are shown, as the address names it: the row that was clicked at once, then the one the app
 * has. Make it while a component is set up.
 */
import type { ProjectRow } from '../../../src-preload/contract/project.ts';
import { Reply } from '../../state/reply.svelte.ts';
import { router } from '../../state/router.svelte.ts';
import { Settled } from '../shared/settled.svelte.ts';

export class ChosenProject {
  /** Null: no details are shown. */
  readonly path = $derived(router.parameter('project'));
  readonly instance = $derived(router.parameter('of') ?? router.parameter('instance'));
  readonly reply: Reply<'project.page'>;
  #clicked = $state.raw<ProjectRow | null>(null);
  readonly #rested = new Settled(() => ({ path: this.path, instance: this.instance }));
  /** Null: not known yet, or not in the list. */
  readonly row = $derived.by(() => {
    const held = this.reply.value?.projects.find((row) => this.#is(row));
    return held ?? (this.#clicked !== null && this.#is(this.#clicked) ? this.#clicked : null);
  });

  constructor() {
    this.reply = new Reply('project.page', () => {
      const { path, instance } = this.#rested.value;
      return path === null
        ? null
        : {
            instance,
            search: path,
            standing: null,
            archived: null,
            sort: 'path',
            descending: false,
            offset: 0,
            limit: 100,
          };
    });
  }

  /** The app has answered about it, and does not have it. */
  get missing(): boolean {
    const { value, ageing } = this.reply;
    return this.row === null && value !== null && !ageing && this.#rested.value.path === this.path;
  }

  show(row: ProjectRow): void {
    this.#clicked = row;
    const implied = row.instance === router.parameter('instance');
    router.replace({ project: row.fullPath, of: implied ? null : row.instance });
  }

  close(): void {
    router.replace({ project: null, of: null });
  }

  #is(row: ProjectRow): boolean {
    return row.fullPath === this.path && (this.instance === null || row.instance === this.instance);
  }
}
