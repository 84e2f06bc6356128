/**
 * @file Texts of an instance's tokens: the list, the rights of each, rotating and revoking them; and of the requests
 * sent with them.
 */
import { rotationDays } from '../../../src-contract/bounds.ts';
import type { TokenSlot } from '../../../src-contract/token.ts';
import { formatDate, formatNumber } from '../../kit/format.ts';

/** A scope in words; GitLab's own name is shown next to it. */
const scopes: Readonly<Record<string, string>> = {
  api: 'Do everything the account may do: back up, import, change',
  read_api: 'Look at everything the account may see',
  read_user: 'See who the account is',
  read_repository: 'Clone and pull code',
  write_repository: 'Push code',
  read_registry: 'Pull container images',
  write_registry: 'Push container images',
  read_virtual_registry: 'Pull from virtual registries',
  write_virtual_registry: 'Push to virtual registries',
  create_runner: 'Register runners',
  manage_runner: 'Manage runners',
  ai_features: 'Use the assistant of GitLab',
  k8s_proxy: 'Talk to Kubernetes clusters through GitLab',
  self_rotate: 'Replace itself',
  read_service_ping: 'Read the usage figures of the instance',
  sudo: 'Act as any user',
  admin_mode: 'Use the rights of an administrator',
};

export const tokensText = {
  subtitle: 'Personal access tokens of an account: what each can do, and until when it works.',
  instance: 'Instance',
  noInstanceTitle: 'No instance yet',
  noInstanceText: 'Add a GitLab server with a token; its other tokens are then listed here.',
  addInstance: 'Add an instance',
  anonymousTitle: 'This instance is asked without an account',
  anonymousText: 'So it has no tokens: public projects can be looked at, and nothing is changed.',

  showAll: 'Show its tokens',
  list: 'Tokens of the account',
  listAdministrator: 'Tokens of all users',
  table: 'Tokens',
  emptyTitle: 'No token matches',
  emptyText: 'Take a filter away to see others.',
  filters: 'Which tokens are shown',
  search: 'Search by name',
  state: 'State',
  states: { any: 'Any state', active: 'Works', inactive: 'Does not work' },
  revokedFilter: 'Revoked or not',
  revokedAny: 'Revoked or not',
  revokedYes: 'Revoked',
  revokedNo: 'Not revoked',
  moreFilters: 'Filter by dates and user',
  moreFiltersOwn: 'Filter by dates',
  createdAfter: 'Created from',
  createdBefore: 'Created until',
  lastUsedAfter: 'Used from',
  lastUsedBefore: 'Used until',
  user: 'User',
  userHint: 'ID or username. Left empty: of all users.',
  userWrong: 'Give a username, or the number that GitLab shows as the user ID.',
  clearFilters: 'Take all filters away',
  showMore: 'Show more',
  columns: { name: 'Name', can: 'Scopes', lastUsed: 'Last used', expires: 'Expires', state: 'State' },

  slots: { main: 'In use', spare: 'Spare' } satisfies Record<TokenSlot, string>,
  slotHints: {
    main: 'Packhorse asks this instance with it.',
    spare: 'Packhorse keeps it to replace the one in use safely.',
  } satisfies Record<TokenSlot, string>,
  working: 'Works',
  revoked: 'Revoked',
  expired: 'Expired',
  notWorking: 'Does not work',
  endsSoon: 'Expires soon',
  never: 'Never',
  noExpiry: 'Never',

  can: 'What it can do',
  scopeUnknown: 'An ability that Packhorse does not know',
  about: 'About the token',
  id: 'ID',
  description: 'Description',
  userId: 'User ID',
  created: 'Created',
  lastUsed: 'Last used',
  expires: 'Expires',
  scope: (name: string) => scopes[name] ?? tokensText.scopeUnknown,

  inUse: 'The token in use',
  noExpiryLong: 'It has no day of expiry.',
  expiresIn: (day: string, distance: string) => `Expires on ${day}, ${distance}.`,

  stopsTitle: 'What stops when it expires',
  stopsNothing: 'Nothing of Packhorse: it is not the token in use.',
  stopsByHand: 'Backups and imports that are started by hand',
  stops: (plan: string, when: string) => `The plan ${plan}, ${when}`,
  stopsOff: (plan: string, when: string) => `The plan ${plan}, ${when}, which is switched off now`,
  stopsFrom: (day: string) => `From ${formatDate(day)} on this would fail:`,
  stopsNever: 'It has no day of expiry, so nothing stops by itself.',
} as const;

/** Texts for changing tokens: rotating, revoking, the spare token. */
export const rotationText = {
  rotate: 'Replace…',
  rotateTitle: {
    main: (instance: string) => `Replace the token in use of ${instance}?`,
    spare: (instance: string) => `Replace the spare token of ${instance}?`,
  } satisfies Record<TokenSlot, (instance: string) => string>,
  what: 'GitLab makes a new token with the same name and abilities and revokes this one at once. Packhorse keeps the new one in the place of the old; nobody sees it.',
  elsewhere: 'Whatever else uses this token stops working.',
  withSpare:
    'The other token is at hand. If the answer of GitLab gets lost, Packhorse uses it to find the new one and replaces that.',
  noSpareTitle: 'There is no spare token',
  noSpareText:
    'GitLab shows a new token once. If its answer gets lost on the way, the new token is lost for good, and this instance rests until you enter another one. A spare token of the same user prevents that.',
  addSpare: 'Add a spare token first…',
  noKeychainTitle: 'There is no keychain',
  noKeychainText:
    'A new token cannot be kept safely here, so none is asked for. Make one on the instance and enter it.',
  expiresOn: 'The new one expires on',
  expiresHint: 'Left empty: it lasts as long as the one before, a year at the most.',
  expiresWrong: 'Choose a day from tomorrow to a year from now.',
  confirm: 'Replace the token',

  revoke: 'Revoke…',
  revokeTitle: (name: string) => `Revoke the token “${name}”?`,
  revokeStays: 'Whatever uses it stops working at once. Projects and archives stay as they are.',
  revokeOwn: 'This is the token in use: the instance then rests until you enter another one.',
  revokeSpare: 'This is the spare token: the one in use can then no longer be replaced safely.',
  revokeConfirm: 'Revoke the token',

  job: { rotate: 'Replacing the token', revoke: 'Revoking the token' },
  rotated: (day: string | null) =>
    day === null
      ? 'The token is replaced.'
      : `The token is replaced; the new one expires on ${formatDate(day)}.`,
  revokedDone: 'The token is revoked.',
  showJob: 'Show the job',
  jobDismiss: 'Done',

  lostTitle: 'A new token is needed',
  lostText: (name: string, day: string | null) =>
    `GitLab replaced the token “${name}”, and its answer with the new one was lost. Nobody knows it${day === null ? '' : `, although it works until ${formatDate(day)}`}, so this instance rests.`,
  lostOrphan: (id: number) => `Revoke the lost one on GitLab: its ID is ${id}.`,
  lostFound: 'The token that was lost still works on GitLab. Here it is, to be revoked.',
  lostPage: 'Open the tokens on the instance',
  enterToken: 'Enter a new token…',

  spare: 'Spare token',
  spareThere: (day: string | null) =>
    day === null
      ? 'One is kept; it has no day of expiry, or none is known.'
      : `One is kept; it expires on ${formatDate(day)}.`,
  spareNone: 'None. With one, the token in use can be replaced without the risk of losing it.',
  spareAdd: 'Add a spare token…',
  spareChange: 'Use another…',
  spareForget: 'Forget it',
  spareForgot: 'The spare token is forgotten here. On GitLab it still works.',
  spareEntry: {
    title: (instance: string) => `Spare token of ${instance}`,
    description:
      'A second token of the same user, with the scope “api”. Packhorse uses it only to replace the one in use, and to find a new one whose answer was lost.',
    field: 'Spare token',
    hint: 'It is sent to Packhorse once, tried, never shown again and never written to a plain file.',
    missing: 'Paste the token.',
    save: 'Check and keep it',
  },
  spareKept: (name: string) => `The token “${name}” is kept as the spare.`,

  automatic: 'Replace by itself before it expires',
  automaticHint: 'Off unless you switch it on. The spare is replaced too, in a run of its own.',
  automaticNoKeychain: 'There is no keychain that can be used here, so a new token could not be kept.',
  automaticNoSpare:
    'There is no spare token: if the answer of GitLab gets lost, the new token is lost with it, and this instance rests until you enter another one.',
  days: 'Days before',
  daysHint: 'From 1 to 90.',
  daysWrong: `Give a whole number from ${rotationDays.min} to ${rotationDays.max}.`,
  automaticOn: (days: number) =>
    `Tokens are replaced by themselves ${days === 1 ? 'a day' : `${formatNumber(days)} days`} before they expire.`,
  automaticOff: 'Tokens are no longer replaced by themselves.',
} as const;

export const requestsText = {
  title: 'Requests that changed something',
  show: 'Show the last requests that changed something',
  showJob: 'Show the requests that this job sent to change something',
  none: 'None was sent so far.',
  noneOfJob: 'It sent none.',
  kept: 'Each is kept, without its contents and without secrets.',
  columns: { when: 'When', method: 'Method', path: 'Path', status: 'Answer', job: 'Job' },
  noAnswer: 'None came',
  byCall: 'None',
  showOfJob: 'Show',
  jobOf: (id: string) => `Show job ${id}`,
  more: 'Show more',
  capped: (count: number) => `Only the last ${formatNumber(count)} are shown here; all are kept.`,
} as const;

/** Texts for a new token that no keychain keeps: the user receives it outside the page. */
export const handOverText = {
  title: (name: string) => `Replace the token “${name}”?`,
  stays:
    'GitLab makes a new token with the same name and abilities and revokes this one at once. Packhorse gives you the new one, once, outside this window, and keeps it nowhere.',
  confirm: 'Replace the token',
  noPlaceTitle: 'This window cannot give you the new token',
  noPlaceText:
    'It is told once, and it never reaches a page. The command line writes it to a file that only you can read.',
  done: (day: string | null) =>
    day === null
      ? 'The token is replaced. You have the new one.'
      : `The token is replaced. You have the new one, which expires on ${formatDate(day)}.`,
} as const;

/** Settings of an instance: with or without an account, whether anything may be changed there, and the connection. */
export const useText = {
  show: 'How it is used',
  readOnly: 'Only read, change nothing there',
  readOnlyHint: 'Exports and imports are refused too: both are asked for by requests that change something.',
  readOnlyAnonymous: 'Without an account nothing can be changed anyway.',
  nowReadOnly: 'Nothing is changed there any more.',
  nowWritable: 'It may be changed again.',
  proxy: 'Proxy of its own',
  proxyHint:
    'Address that its requests go through, for example http://proxy.example.com:3128, without a password. It is tried first. Empty: that of the settings.',
  proxySave: 'Try and use it',
  proxySaved: 'The instance is asked in this way from now on.',
  badgeReadOnly: 'Only read',
  badgeAnonymous: 'Without an account',

  anonymous: 'Without an account',
  anonymousHint: 'Public projects only, and nothing is changed there. No token is needed.',
} as const;
