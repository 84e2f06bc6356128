/** @file Texts of the instances: the list, adding one, its token. */
import type { TokenSource } from '../../../src-contract/instance.ts';
import { formatDate } from '../../kit/format.ts';

export const instancesText = {
  subtitle: 'GitLab servers and the accounts used on them',
  section: 'Known instances',
  emptyTitle: 'No instance yet',
  emptyText: 'Add a GitLab server to back up its projects, or try the built-in sandbox.',
  add: 'Add an instance…',
  trySandbox: 'Open the sandbox',

  account: 'Account',
  noAccount: 'None: public projects are seen, and nothing is changed',
  administrator: (name: string) => `${name} (administrator)`,
  version: 'GitLab',
  versionUnknown: 'Does not tell its version',
  token: 'Token',
  added: 'Added',
  caFile: 'Certificates',
  pace: 'Limits',
  paceSandbox: 'None (practice server)',
  noToken: 'None at hand',
  expiresOn: (day: string) => `Expires on ${formatDate(day)}`,
  expired: (day: string) => `Expired on ${formatDate(day)}`,
  noExpiry: 'No day of expiry known',

  check: 'Check again',
  enterToken: 'Enter a new token…',
  useAccount: 'Use it with an account…',
  open: 'Open in the browser',
  remove: 'Remove…',
  more: (name: string) => `More about ${name}`,

  removeTitle: (name: string) => `Remove ${name}?`,
  removeStays:
    'Archives stay where they are and can still be read and imported. Nothing changes on the instance.',
  removeConfirm: 'Remove the instance',
  removed: (name: string) => `${name} is removed. Its archives stay.`,

  listFrom: 'list fetched',
  listNever: 'list never fetched',
  refresh: (name: string) => `Refresh the project list of ${name}`,
  refreshList: 'Fetch the list',
  refreshing: 'Fetching the project list',
} as const;

export const checkText = {
  title: 'What this token can and cannot do',
  who: (name: string | null, administrator: boolean) =>
    name === null
      ? 'Asks without an account: public projects only'
      : administrator
        ? `Acts as ${name}, an administrator`
        : `Acts as ${name}`,
  read: 'Can read projects',
  noRead: 'Cannot read projects',
  exports: 'Can back up: export projects',
  noExports: 'Cannot back up: exports are not allowed to it',
  imports: 'Can import projects',
  noImports: 'Cannot import projects',
  expires: (day: string) => `Stops working on ${formatDate(day)}`,
  expiryUnknown: 'Has no day of expiry, or the instance does not tell it',
  version: (version: string) => `GitLab ${version}`,
  versionUnknown: 'The instance does not tell its version',
  scopes: (scopes: string) => `Scopes: ${scopes}`,
  facts: 'The account and its token',
  sources: {
    session: 'Token kept for this session only',
    environment: 'Token from the environment',
    keychain: 'Token from the keychain',
  } satisfies Record<TokenSource, string>,
  uselessTitle: 'This token is of no use here',
  uselessText: 'It cannot even read projects. Make one with the scope “api” on the instance.',
  readOnlyTitle: 'This token can only look',
  readOnlyText: 'Make a token with the scope “api” on the instance, and use it instead.',
  good: 'This token can do everything that Packhorse needs.',
} as const;

export const addText = {
  title: 'Add an instance',
  steps: { address: 'Address', token: 'Token', check: 'Check' },
  stepsLabel: 'Steps',
  url: 'Address of the instance',
  urlHint: 'For example https://gitlab.example.com, without a project in it',
  urlMissing: 'Give the address of the instance.',
  urlWrong: 'It must begin with https:// and name a server.',
  urlPlain: 'The connection is not encrypted',
  urlPlainText:
    'With http:// everybody on the way can read the token. Use https:// unless the server is on this machine.',
  name: 'Short name',
  nameHint: 'How it is called here and on the command line: lower-case letters, digits, “.”, “_” and “-”',
  nameWrong: 'Use lower-case letters, digits, “.”, “_” and “-”; begin with a letter or digit.',
  nameTaken: 'There is an instance of that name already.',
  connection: 'More about the connection',
  caFile: 'File with certificate authorities (PEM)',
  caFileHint: 'Only where the server has a certificate of a private authority',
  caFileCommand:
    'Only where the server has a certificate of a private authority. A page in a browser names no files: add the instance with “packhorse instance add … --ca-file FILE” then.',
  caFileNone: 'None',
  choose: 'Choose…',
  pace: 'Limits and waits',
  paces: { gitlab: 'Of a real GitLab server', sandbox: 'None (a practice server of Packhorse)' },
  next: 'Next',
  back: 'Back',
  token: 'Personal access token',
  tokenHint:
    'With the scope “api”. It is sent to Packhorse once, never shown again and never written to a plain file.',
  tokenHow: 'How to make one',
  tokenSteps: [
    'Sign in to the instance in a browser.',
    'Open your avatar → Preferences → Access tokens (“Personal access tokens” in newer versions).',
    'Add a token with the scope “api” and a day of expiry, and copy it here.',
  ],
  tokenPage: 'Open that page',
  tokenMissing: 'Paste the token.',
  checkToken: 'Check the token',
  checking: 'Asking the instance what the token can do…',
  otherToken: 'Use another token',
  keep: 'Keep the token',
  keepKeychain: 'In the keychain of this system',
  keepKeychainHint: 'Schedules go on after a restart.',
  keepSession: 'For this session only',
  keepSessionHint: 'It is forgotten when Packhorse ends, and asked for again.',
  noKeychain: 'The token is kept for this session only',
  noKeychainText:
    'This system has no keychain that can be used. The token is forgotten when Packhorse ends; the settings say why.',
  add: 'Add the instance',
  addReadOnly: 'Add it for looking only',
  added: (name: string) => `${name} is added.`,
} as const;

export const tokenText = {
  title: (name: string) => `Token of ${name}`,
  description: 'The new token takes the place of the one that was used so far.',
  save: 'Check and use it',
  done: 'Done',
  replaced: (name: string) => `The token of ${name} is replaced.`,
} as const;
