/** @file Texts of the first start. */
import { common } from '../../kit/common.text.ts';

export const firstStartText = {
  title: `Welcome to ${common.product}`,
  subtitle:
    'Back up GitLab projects to this machine, prove what the archives hold, move projects between instances.',
  addTitle: 'Add an instance',
  addText:
    'Connect to a GitLab server with a personal access token. What the token can do is shown before anything is stored.',
  add: 'Add an instance…',
  sandboxTitle: 'Try the built-in sandbox',
  sandboxText:
    'Two practice servers on this machine: one filled with projects to back up, an empty one to import into. They need no network and no account.',
  sandbox: 'Open the sandbox',
  sandboxOpening: 'Starting the practice servers…',
  sandboxListing: 'Fetching their projects…',
  archiveTitle: 'Open an archive',
  archiveText:
    'Read any GitLab export file (.tar.gz): what is in it, and whether it is sound. It stays where it is.',
  archiveDrop: 'Drop an export file here',
} as const;
