/** @file The actions on one project, as its row offers them. */
import Archive from '@lucide/svelte/icons/archive';
import ExternalLink from '@lucide/svelte/icons/external-link';
import HardDriveDownload from '@lucide/svelte/icons/hard-drive-download';
import PackageOpen from '@lucide/svelte/icons/package-open';
import { canBeRead } from '../../../../src-contract/archives/archive-quality.ts';
import type { ProjectRow } from '../../../../src-contract/projects/project.ts';
import { host } from '../../../data/host.svelte.ts';
import { router } from '../../../data/places/router.svelte.ts';
import { projectDetailsText as text } from '../projects.text.ts';
import type { MenuEntry } from '../../../kit/overlay/menu-entry.ts';

interface MenuParts {
  instanceUrl: string | undefined;
  refused: boolean;
  backUp: () => void;
}

export function projectMenu(row: ProjectRow, { instanceUrl, refused, backUp }: MenuParts): MenuEntry[] {
  const newest = row.newestArchive;
  // The address comes from the server, so only pages of its own instance are linked.
  const hasPage = instanceUrl !== undefined && row.webUrl.startsWith(`${instanceUrl}/`);
  return [
    {
      id: 'backup',
      label: text.backUp,
      icon: HardDriveDownload,
      disabled: refused,
      run: backUp,
    },
    {
      id: 'archives',
      label: text.showArchives,
      icon: Archive,
      disabled: row.archives === 0,
      run: () => {
        router.go('archives', { project: `${row.instance}/${row.fullPath}` });
      },
    },
    {
      id: 'import',
      label: text.importNewest,
      icon: PackageOpen,
      disabled: newest === null || newest.absent || !canBeRead(newest.condition),
      run: () => {
        if (newest !== null) router.go('import', { archive: newest.id });
      },
    },
    {
      id: 'open',
      label: text.open,
      icon: ExternalLink,
      disabled: !hasPage,
      run: () => void host.openLink(row.webUrl),
    },
  ];
}
