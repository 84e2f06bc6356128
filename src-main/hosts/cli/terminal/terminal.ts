/**
 * @file The output of the command line: results on stdout, progress and messages on stderr. With `--json`, stdout is
 * exactly one JSON document, written last. Text from a server or an archive never reaches the terminal as a control
 * sequence.
 */
import { errorText } from '../../../../src-contract/error-messages.ts';
import type { AppError, ErrorCode } from '../../../../src-contract/errors.ts';
import { escapeJson, toPrintable } from './format.ts';
import { colourMarks } from './marks.ts';

/** The exit codes of the command line: done, failed, wrong usage, partly done, not allowed, interrupted. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  partly: 3,
  notAllowed: 4,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Errors of wrong usage: a typed value is wrong, or a name is unknown, ambiguous or taken. */
const usageCodes: ErrorCode[] = [
  'invalid-input',
  'already-exists',
  'instance-unknown',
  'instance-exists',
  'plan-missing',
  'migration-missing',
  'failure-missing',
  'attention-missing',
  'job-missing',
  'archive-ambiguous',
  'not-found',
  'project-missing',
  'project-moved',
  'namespace-missing',
  'record-missing',
];
const notAllowedCodes: ErrorCode[] = [
  'token-missing',
  'token-unsafe-file',
  'token-invalid',
  'token-expired',
  'token-revoked',
  'token-scope',
  'account-blocked',
  'account-changed',
  'forbidden',
  'role-too-low',
  'import-disabled',
  'feature-off',
];

export function exitCodeOf(error: Pick<AppError, 'code'> & Partial<Pick<AppError, 'details'>>): ExitCode {
  // The user refused to confirm.
  if (error.code === 'cancelled' && error.details?.['unchanged'] === true) return exitCodes.failed;
  if (error.code === 'cancelled' || error.code === 'interrupted') return exitCodes.interrupted;
  if (notAllowedCodes.includes(error.code) || error.code.startsWith('keychain-')) return exitCodes.notAllowed;
  // A port in use is not wrong usage.
  if (error.details?.['port'] !== undefined) return exitCodes.failed;
  // A missing file of a known archive, or a storage without its key, is a failure; an unknown name is wrong usage.
  const isUnknownName =
    ['archive-missing', 'storage-missing'].includes(error.code) && error.details?.['reference'] !== undefined;
  return isUnknownName || usageCodes.includes(error.code) ? exitCodes.usage : exitCodes.failed;
}

export function errorDocument(error: Pick<AppError, 'toData'>) {
  const data = error.toData();
  return { code: data.code, ...errorText(data, 'command-line'), details: data.details };
}

export interface TerminalOptions {
  json: boolean;
  quiet: boolean;
  stdout: NodeJS.WritableStream & { isTTY?: boolean };
  stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
}

export class Terminal {
  readonly json: boolean;
  readonly #options: TerminalOptions;
  #isStatusShown = false;

  constructor(options: TerminalOptions) {
    this.json = options.json;
    this.#options = options;
  }

  get interactive(): boolean {
    return this.#options.stderr.isTTY === true && !this.#options.quiet;
  }

  /**
   * Prints the result: `document` with `--json`, else the text. Called once per command. `hasMarks`: a terminal shows the
   * marks of `marks.ts` in colours.
   */
  result(document: unknown, text: () => string, { hasMarks = false } = {}): void {
    this.status(null);
    if (this.json) {
      this.#printDocument(document);
      return;
    }
    const { stdout } = this.#options;
    const printable = toPrintable(text(), 'lines');
    stdout.write(`${hasMarks ? colourMarks(printable, stdout) : printable}\n`);
  }

  /** Prints a result that is a file: byte for byte if stdout is not a terminal, else as text. */
  file(document: unknown, text: string): void {
    this.status(null);
    const { stdout } = this.#options;
    if (this.json) this.#printDocument(document);
    else stdout.write(stdout.isTTY === true ? toPrintable(text.replace(/\r\n/g, '\n'), 'lines') : text);
  }

  /** Prints a line before the result; nothing with `--json`. */
  line(text: string): void {
    if (this.json) return;
    this.status(null);
    this.#options.stdout.write(`${toPrintable(text, 'lines')}\n`);
  }

  /** Prints a message on stderr, not part of the result. */
  note(text: string): void {
    if (!this.#options.quiet) this.noteAlways(text);
  }

  /** True if stderr is a screen, so that its output is stored nowhere. */
  get hasTTY(): boolean {
    return this.#options.stderr.isTTY === true;
  }

  /** Prints a message on stderr even with `--quiet`, for information that would otherwise be lost. */
  noteAlways(text: string): void {
    this.status(null);
    this.#options.stderr.write(`${toPrintable(text, 'lines')}\n`);
  }

  /** Shows a secret to the person at the screen; prints nothing without a screen. */
  showSecret(text: string): void {
    if (this.hasTTY) this.noteAlways(text);
  }

  status(text: string | null): void {
    if (!this.interactive) return;
    if (text === null && !this.#isStatusShown) return;
    this.#isStatusShown = text !== null;
    const { columns = 0 } = this.#options.stderr;
    // Some terminals report a width of 0.
    const width = (columns > 0 ? columns : 80) - 1;
    this.#options.stderr.write(`\r\u001b[2K${text === null ? '' : toPrintable(text).slice(0, width)}`);
  }

  /** Prints both sentences of an error, or with `--json` the error as the document. @returns its exit code. */
  printError(error: AppError): ExitCode {
    this.status(null);
    if (this.json) this.#printDocument({ error: errorDocument(error) });
    else {
      const { what, todo } = errorText(error.toData(), 'command-line');
      this.#options.stderr.write(`packhorse: ${toPrintable(what)}\n  ${toPrintable(todo)}\n`);
    }
    return exitCodeOf(error);
  }

  #printDocument(document: unknown): void {
    this.#options.stdout.write(`${escapeJson(JSON.stringify(document, null, 2))}\n`);
  }
}
