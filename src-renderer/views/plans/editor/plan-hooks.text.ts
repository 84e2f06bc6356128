/** @file Texts about the programs before and after the runs of a plan, and its heartbeat. */
export const hookText = {
  title: 'Before and after a run',
  warning: 'A program that is set here runs with your rights',
  warningText:
    'At each run, also while nobody looks. Choose only one that nobody else can change. It is started without a shell, and gets no token.',
  readOnly: 'Programs cannot be changed from a browser',
  readOnlyText:
    'They run with the rights of the user that runs Packhorse. Use the desktop window, or “packhorse plan edit” on that machine. They stay as they are when this is saved.',
  before: 'Before each run',
  after: 'After each run, however it ended',
  none: 'No program.',
  program: 'Program',
  choose: 'Choose a program…',
  chooseOther: 'Choose another…',
  remove: 'Run no program',
  arguments: 'Arguments',
  argumentsHint: 'One on each line, handed over as they are. They are stored as plain text.',
  timeLimit: 'Time limit in seconds',
  ifFails: 'Where it fails',
  skip: 'Skip the run, and call it failed',
  run: 'Run all the same, with a warning',
  heartbeat: 'Heartbeat',
  heartbeatAt: (origin: string) =>
    origin.startsWith('http:')
      ? `Told at ${origin}, not encrypted: whoever listens can read the address.`
      : `Told at ${origin}.`,
  heartbeatAddress: 'Address that is asked for after each run that succeeded',
  heartbeatOther: 'Another address instead',
  heartbeatHint: 'Of a watching service such as Healthchecks. It is kept in the keychain.',
  heartbeatRemove: 'Tell it no more',
} as const;
