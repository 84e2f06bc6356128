/**
 * @file The form that adds an instance in steps: address, token, check of the rights. Contains the typed values and
 * the current step. The token is cleared as soon as it is sent. Create it during component setup.
 */
import { errorText } from '../../../src-contract/error-messages.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import type { InstanceCheck, PacePreset } from '../../../src-contract/instances/instance.ts';
import { LongCall } from '../../data/calls/long-call.svelte.ts';
import { addText } from './instances.text.ts';
import { nameError, proposedName, urlError, withScheme } from './address.ts';
import { fieldOf, type Field } from '../shared/field-of-error.ts';

export type AddStep = 'address' | 'token' | 'check';

type FieldErrors = Record<Field, string | null>;
const nothingWrong: FieldErrors = { url: null, caFile: null, name: null, token: null };

export class AddInstanceForm {
  step = $state<AddStep>('address');
  url = $state('');
  name = $state('');
  caFile = $state('');
  pace = $state<PacePreset>('gitlab');
  token = $state('');
  /** True if the instance is used without an account and therefore without a token. */
  anonymous = $state(false);
  tokenStorage = $state<'session' | 'keychain'>('session');
  fieldErrors = $state.raw<FieldErrors>(nothingWrong);
  /** An error that belongs to no field. */
  error = $state.raw<ErrorData | null>(null);
  check = $state.raw<InstanceCheck | null>(null);

  readonly #sending = new LongCall('instance.setToken');
  readonly #asking = new LongCall('instance.preview');
  readonly #adding = new LongCall('instance.add');
  readonly #known: () => readonly string[];
  #ownName = false;

  /** `known` returns the names in use. `keychain` is true if the keychain can store the token. */
  constructor(known: () => readonly string[], keychain: boolean) {
    this.#known = known;
    this.tokenStorage = keychain ? 'keychain' : 'session';
  }

  get busy(): boolean {
    return this.#sending.busy || this.#asking.busy || this.#adding.busy;
  }

  get isChecking(): boolean {
    return this.#sending.busy || this.#asking.busy;
  }

  /** Call this when the address changed. Suggests a name until the user types one. */
  proposeName(): void {
    if (!this.#ownName) this.name = proposedName(this.url, this.#known());
  }

  markNameTyped(): void {
    this.#ownName = this.name !== '';
  }

  goTo(step: AddStep): void {
    this.step = step;
    this.fieldErrors = nothingWrong;
    this.error = null;
    if (step !== 'check') this.check = null;
  }

  continueToToken(): void {
    this.url = withScheme(this.url);
    const url = urlError(this.url);
    const name = nameError(this.name, this.#known());
    if (url === null && name === null) this.goTo('token');
    else this.fieldErrors = { ...nothingWrong, url, name };
  }

  async checkToken(): Promise<void> {
    const token = this.token.trim();
    this.token = '';
    this.error = null;
    this.fieldErrors = token === '' ? { ...nothingWrong, token: addText.tokenMissing } : nothingWrong;
    if (token === '') return;
    const { name, url } = this;
    const sent = await this.#sending.run({ name, token, keep: 'session' });
    if (sent === null) return;
    if (!sent.ok) {
      this.#show(sent.error);
      return;
    }
    const asked = await this.#asking.run({ name, url, caFile: this.#caFile });
    if (asked === null) return;
    if (asked.ok) {
      this.check = asked.value;
      this.step = 'check';
    } else this.#show(asked.error);
  }

  async add(): Promise<boolean> {
    this.error = null;
    const { name, url, pace, tokenStorage, anonymous } = this;
    const added = await this.#adding.run({
      name,
      url,
      caFile: this.#caFile,
      pace,
      keep: tokenStorage,
      anonymous,
    });
    if (added === null) return false;
    if (!added.ok) this.#show(added.error);
    return added.ok;
  }

  cancel(): void {
    this.#sending.cancel();
    this.#asking.cancel();
    this.#adding.cancel();
  }

  get #caFile(): string | null {
    return this.caFile.trim() || null;
  }

  /** Shows the error in the step where it can be corrected. */
  #show(error: ErrorData): void {
    const field = fieldOf(error.code);
    if (field === null) {
      this.error = error;
      return;
    }
    this.goTo(field === 'token' ? 'token' : 'address');
    const { what, todo } = errorText(error);
    this.fieldErrors = { ...nothingWrong, [field]: `${what} ${todo}` };
  }
}
