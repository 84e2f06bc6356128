/** @file Texts of the instances: the list, adding one, its token. */
import type { TokenSource } from '../../../src-contract/instances/instance.ts';
import { formatDate } from '../../kit/format.ts';

export const instancesText = {
  subtitle: 'GitLab servers and the accounts used on them',
  section: 'Known instances',
  emptyTitle: 'No instance yet',
  emptyText: 'Add a GitLab server to back up its projects, or try the built-in sandbox.',
  add: 'Add an instance…',
  trySandbox: 'Open the sandbox',

  account: 'Account',
  noAccount: 'None: only public projects are visible, and nothing can be changed',
  administrator: (name: string) => `${name} (administrator)`,
  version: 'GitLab',
  versionUnknown: 'Version not reported',
  token: 'Token',
  added: 'Added',
  caFile: 'Certificates',
  pace: 'Rate limits',
  paceSandbox: 'None (sandbox)',
  noToken: 'None available',
  expiresOn: (day: string) => `Expires on ${formatDate(day)}`,
  expired: (day: string) => `Expired on ${formatDate(day)}`,
  noExpiry: 'No known expiry date',

  check: 'Check again',
  enterToken: 'Enter a new token…',
  useAccount: 'Use it with an account…',
  open: 'Open in the browser',
  remove: 'Remove…',
  more: (name: string) => `More about ${name}`,

  removeTitle: (name: string) => `Remove ${name}?`,
  removeKeptText:
    'Archives stay where they are and can still be read and imported. Nothing changes on the instance.',
  removeConfirm: 'Remove the instance',
  removed: (name: string) => `${name} is removed. Its archives stay.`,

  listFetched: 'list fetched',
  listNever: 'list never fetched',
  refresh: (name: string) => `Refresh the project list of ${name}`,
  refreshList: 'Fetch the list',
  refreshing: 'Fetching the project list',
} as const;

export const checkText = {
  title: 'What this token can and cannot do',
  account: (name: string | null, administrator: boolean) =>
    name === null
      ? 'Used without an account: public projects only'
      : administrator
        ? `Acts as ${name}, an administrator`
        : `Acts as ${name}`,
  read: 'Can read projects',
  noRead: 'Cannot read projects',
  exports: 'Can back up: export projects',
  noExports: 'Cannot back up: exports are not allowed',
  imports: 'Can import projects',
  noImports: 'Cannot import projects',
  expires: (day: string) => `Stops working on ${formatDate(day)}`,
  expiryUnknown: 'Has no expiry date, or the instance does not report it',
  version: (version: string) => `GitLab ${version}`,
  versionUnknown: 'The instance does not report its version',
  scopes: (scopes: string) => `Scopes: ${scopes}`,
  facts: 'The account and its token',
  sources: {
    session: 'Token kept for this session only',
    environment: 'Token from the environment',
    keychain: 'Token from the keychain',
  } satisfies Record<TokenSource, string>,
  uselessTitle: 'This token cannot be used here',
  uselessText: 'The token cannot read projects. Create one with the scope “api” on the instance.',
  readOnlyTitle: 'This token can only read',
  readOnlyText: 'Create a token with the scope “api” on the instance, and use it instead.',
  good: 'This token can do everything that Packhorse needs.',
} as const;

export const addText = {
  title: 'Add an instance',
  steps: { address: 'Address', token: 'Token', check: 'Check' },
  stepsLabel: 'Steps',
  url: 'Address of the instance',
  urlHint: 'For example https://gitlab.example.com, without a project in it',
  urlMissing: 'Enter the address of the instance.',
  urlWrong: 'The address must start with https:// and name a server.',
  urlInsecure: 'The connection is not encrypted',
  urlInsecureText:
    'With http:// everyone on the network path can read the token. Use https:// unless the server is on this machine.',
  name: 'Short name',
  nameHint: 'Its name here and on the command line: lower-case letters, digits, “.”, “_” and “-”',
  nameWrong: 'Use lower-case letters, digits, “.”, “_” and “-”; begin with a letter or digit.',
  nameTaken: 'An instance with that name already exists.',
  connection: 'More about the connection',
  caFile: 'File with certificate authorities (PEM)',
  caFileHint: 'Only if the server has a certificate from a private authority',
  caFileCommand:
    'Only if the server has a certificate from a private authority. A browser page cannot choose files on the machine where Packhorse runs. Add the instance with “packhorse instance add … --ca-file FILE” instead.',
  caFileNone: 'None',
  choose: 'Choose…',
  pace: 'Rate limits and waiting times',
  paces: { gitlab: 'For a real GitLab server', sandbox: 'None (Packhorse sandbox)' },
  next: 'Next',
  back: 'Back',
  token: 'Personal access token',
  tokenHint:
    'With the scope “api”. The token is sent to Packhorse once, never shown again and never written to a plain file.',
  tokenHow: 'How to create one',
  tokenSteps: [
    'Sign in to the instance in a browser.',
    'Open your avatar → Preferences → Access tokens (“Personal access tokens” in newer versions).',
    'Add a token with the scope “api” and an expiry date, and copy it here.',
  ],
  tokenPage: 'Open that page',
  tokenMissing: 'Paste the token.',
  checkToken: 'Check the token',
  checking: 'Checking the rights of the token…',
  otherToken: 'Use another token',
  keep: 'Keep the token',
  keepKeychain: 'In the keychain of this system',
  keepKeychainHint: 'Schedules continue after a restart.',
  keepSession: 'For this session only',
  keepSessionHint: 'The token is forgotten when Packhorse stops, and must be entered again.',
  noKeychain: 'The token is kept for this session only',
  noKeychainText:
    'This system has no usable keychain. The token is forgotten when Packhorse stops; the settings show the reason.',
  add: 'Add the instance',
  addReadOnly: 'Add it for reading only',
  added: (name: string) => `${name} is added.`,
} as const;

export const tokenText = {
  title: (name: string) => `Token of ${name}`,
  description: 'The new token replaces the current one.',
  save: 'Check and use it',
  done: 'Done',
  replaced: (name: string) => `The token of ${name} is replaced.`,
} as const;
