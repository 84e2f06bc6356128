/** @file Texts of the first start. */
import { common } from '../../kit/common.text.ts';

export const firstStartText = {
  title: `Welcome to ${common.product}`,
  subtitle:
    'Back up GitLab projects to this machine, verify the archives, and move projects between instances.',
  addTitle: 'Add an instance',
  addText:
    'Connect to a GitLab server with a personal access token. The rights of the token are shown before anything is stored.',
  add: 'Add an instance…',
  sandboxTitle: 'Try the built-in sandbox',
  sandboxText:
    'Two sandbox servers on this machine: one with projects to back up, and an empty one to import into. The servers need no network and no account.',
  sandbox: 'Open the sandbox',
  sandboxOpening: 'Starting the sandbox…',
  sandboxListing: 'Fetching the project lists…',
  archiveTitle: 'Open an archive',
  archiveText:
    'Read any GitLab export file (.tar.gz) and check its contents. The file is not moved or changed.',
  archiveDrop: 'Drop an export file here',
} as const;
