/** @file Texts of the desktop host outside the page, in menus, dialogs and notifications. */

const count = (number: number, one: string, many: string): string =>
  number === 1 ? `1 ${one}` : `${number} ${many}`;

/** Notifications about a run. `done` is the past participle of its action, such as "imported". */
const projectNotices = (done: string) => ({
  done: (project: string) => `${project} is ${done}`,
  doneAll: (projects: number) => `${count(projects, 'project is', 'projects are')} ${done}`,
  failed: (project: string) => `${project} was not ${done}`,
  failedSome: (failed: number, all: number) => `${failed} of ${all} projects were not ${done}`,
  warnings: (project: string) => `${project} is ${done}, with warnings`,
  warningsSome: (some: number, all: number) => `${all} projects are ${done}, ${some} with warnings`,
});

export const desktopTexts = {
  name: 'Packhorse',
  menu: {
    file: '&File',
    view: '&View',
    help: '&Help',
    overview: 'Overview',
    projects: 'Projects',
    plans: 'Plans',
    migrations: 'Migrations',
    archives: 'Archives',
    import: 'Import',
    check: 'Check an Import',
    activity: 'Activity',
    instances: 'Instances',
    tokens: 'Tokens',
    settings: 'Settings…',
    palette: 'Command Palette…',
    quit: 'Quit Packhorse',
  },
  tray: { open: 'Open Packhorse', quit: 'Quit' },
  dialog: {
    cannotStart: 'Packhorse could not start',
    pageFailed: 'The window of Packhorse could not be shown',
    pageFailedDetail:
      'Jobs continue in the background. Quit Packhorse and start it again. If the window still does not appear, use the command line.',
    quit: 'Quit while work is in progress?',
    quitDetail: 'The work stops now and continues the next time Packhorse runs. Stored data is kept.',
    quitYes: 'Quit',
    quitNo: 'Keep running',
    unstoredToken: (instances: string) => `The keychain did not store the new token of ${instances}`,
    unstoredTokenDetail:
      'GitLab replaced the token, and only this running Packhorse knows the new one. Unlock or repair the keychain: Packhorse tries again every 15 seconds, and can quit once the token is stored. Or copy the token, once, and keep it somewhere safe.',
    copyToken: 'Copy the token',
    waitForKeychain: 'Wait for the keychain',
    copied: 'The new token is on the clipboard',
    copiedDetail:
      'Paste it somewhere safe now: the clipboard may be emptied when Packhorse quits. If the keychain has not stored the token by then, enter it under Instances after the next start.',
    notCopied: 'The clipboard could not be used',
    notCopiedDetail: 'Nothing was copied. Quit again to copy the token.',
    newTokenOnce: (name: string) => `The new token “${name}” is available only once`,
    newTokenOnceDetail:
      'It is copied to the clipboard. Paste it somewhere safe at once: Packhorse does not store it.',
    closing: 'Packhorse keeps running in the tray',
    closingDetail:
      'Packhorse keeps running so that schedules continue. To quit, use the tray icon’s menu. You can change this in the settings.',
    closingKeep: 'Keep running',
    closingQuit: 'Quit instead',
  },
  choose: {
    archive: 'Choose an export archive',
    folder: 'Choose a folder',
    certificate: 'Choose a CA certificate file',
    program: 'Choose a program',
    archives: 'Export archives',
    certificates: 'Certificates',
    anything: 'All files',
  },
  activity: {
    idle: 'Nothing is running',
    waiting: (jobs: number) => `${count(jobs, 'job is', 'jobs are')} waiting`,
    export: (project: string) => `Backing up ${project}`,
    import: (project: string) => `Importing ${project}`,
    change: (project: string) => `Changing ${project}`,
    'relation-import': (project: string) => `Importing a part of ${project}`,
    token: (token: string) => `Changing ${token}`,
    jobsDone: (ended: number, all: number) => `${ended} of ${all} jobs done`,
  },
  notice: {
    export: projectNotices('backed up'),
    import: projectNotices('imported'),
    change: projectNotices('changed'),
    'relation-import': {
      done: (project: string) => `A part of ${project} is imported`,
      doneAll: (projects: number) => `Parts of ${count(projects, 'project are', 'projects are')} imported`,
      failed: (project: string) => `A part of ${project} was not imported`,
      failedSome: (failed: number, all: number) => `Parts of ${failed} of ${all} projects were not imported`,
      warnings: (project: string) => `A part of ${project} is imported, with warnings`,
      warningsSome: (some: number, all: number) =>
        `Parts of ${all} projects are imported, ${some} with warnings`,
    },
    token: {
      done: (token: string) => `The ${token} is changed`,
      doneAll: (tokens: number) => `${count(tokens, 'token is', 'tokens are')} changed`,
      failed: (token: string) => `The ${token} was not changed`,
      failedSome: (failed: number, all: number) => `${failed} of ${all} tokens were not changed`,
      warnings: (token: string) => `The ${token} is changed, with warnings`,
      warningsSome: (some: number, all: number) => `${all} tokens are changed, ${some} with warnings`,
    },
    ofPlan: (plan: string, what: string) => `${plan}: ${what}`,
    nothingBackedUp: 'nothing was backed up',
    endedWithWarning: 'a run ended with a warning',
    suspicious: (project: string) => `${project} is backed up, but looks suspicious`,
    suspiciousSome: (projects: number) => `${projects} of the new archives look suspicious`,
    couldNotStart: (plan: string) => `The scheduled backup of ${plan} could not start`,
    notStarted: (plan: string) => `The scheduled backup of ${plan} has not started`,
    dueSince: (when: string) => `It was due at ${when}. Open Plans to see its status.`,
    archiveProblem: (project: string, condition: string) => `An archive of ${project} is ${condition}`,
    backUpAgain: (day: string, reason: string) =>
      `Archive of ${day}: ${reason}. Older archives are kept. Back up the project again.`,
    openActivity: 'Open Activity to see the details.',
  },
} as const;
