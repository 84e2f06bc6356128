/**
 * @file The form that adds an instance in steps: address, token, check of the rights. Contains the entered values and
 * the current step. The token is cleared as soon as it is sent. Create it during component setup.
 */
import { errorText } from '../../../src-contract/error-messages.ts';
import type { ErrorData } from '../../../src-contract/errors.ts';
import type { InstanceCheck, PacePreset } from '../../../src-contract/instances/instance.ts';
import { LongCall } from '../../data/calls/long-call.svelte.ts';
import { addText } from './instances.text.ts';
import { nameError, proposeName, urlError, addScheme } from './address.ts';
import { fieldOf, type Field } from '../shared/field-of-error.ts';

export type AddStep = 'address' | 'token' | 'check';

type FieldErrors = Record<Field, string | null>;
const noErrors: FieldErrors = { url: null, caFile: null, name: null, token: null };

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
  fieldErrors = $state.raw<FieldErrors>(noErrors);
  /** An error that belongs to no field. */
  error = $state.raw<ErrorData | null>(null);
  check = $state.raw<InstanceCheck | null>(null);

  readonly #sending = new LongCall('instance.setToken');
  readonly #checking = new LongCall('instance.preview');
  readonly #adding = new LongCall('instance.add');
  readonly #getNames: () => readonly string[];
  #isNameTyped = false;

  /** `getNames` returns the names in use. `hasKeychain` is true if the keychain can store the token. */
  constructor(getNames: () => readonly string[], hasKeychain: boolean) {
    this.#getNames = getNames;
    this.tokenStorage = hasKeychain ? 'keychain' : 'session';
  }

  get busy(): boolean {
    return this.#sending.busy || this.#checking.busy || this.#adding.busy;
  }

  get isChecking(): boolean {
    return this.#sending.busy || this.#checking.busy;
  }

  /** Call this when the address changed. Suggests a name until the user types one. */
  proposeName(): void {
    if (!this.#isNameTyped) this.name = proposeName(this.url, this.#getNames());
  }

  markNameTyped(): void {
    this.#isNameTyped = this.name !== '';
  }

  goTo(step: AddStep): void {
    this.step = step;
    this.fieldErrors = noErrors;
    this.error = null;
    if (step !== 'check') this.check = null;
  }

  continueToToken(): void {
    this.url = addScheme(this.url);
    const url = urlError(this.url);
    const name = nameError(this.name, this.#getNames());
    if (url === null && name === null) this.goTo('token');
    else this.fieldErrors = { ...noErrors, url, name };
  }

  async checkToken(): Promise<void> {
    const token = this.token.trim();
    this.token = '';
    this.error = null;
    this.fieldErrors = token === '' ? { ...noErrors, token: addText.tokenMissing } : noErrors;
    if (token === '') return;
    const { name, url } = this;
    const sendResult = await this.#sending.run({ name, token, keep: 'session' });
    if (sendResult === null) return;
    if (!sendResult.ok) {
      this.#show(sendResult.error);
      return;
    }
    const checkResult = await this.#checking.run({ name, url, caFile: this.#caFile });
    if (checkResult === null) return;
    if (checkResult.ok) {
      this.check = checkResult.value;
      this.step = 'check';
    } else this.#show(checkResult.error);
  }

  async add(): Promise<boolean> {
    this.error = null;
    const { name, url, pace, tokenStorage, anonymous } = this;
    const result = await this.#adding.run({
      name,
      url,
      caFile: this.#caFile,
      pace,
      keep: tokenStorage,
      anonymous,
    });
    if (result === null) return false;
    if (!result.ok) this.#show(result.error);
    return result.ok;
  }

  cancel(): void {
    this.#sending.cancel();
    this.#checking.cancel();
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
    this.fieldErrors = { ...noErrors, [field]: `${what} ${todo}` };
  }
}
