/** @file The icon of each view, in navigation and palette. */
import Activity from '@lucide/svelte/icons/activity';
import Archive from '@lucide/svelte/icons/archive';
import ArrowLeftRight from '@lucide/svelte/icons/arrow-left-right';
import CalendarClock from '@lucide/svelte/icons/calendar-clock';
import FileSearch from '@lucide/svelte/icons/file-search';
import FolderGit2 from '@lucide/svelte/icons/folder-git-2';
import FolderSearch from '@lucide/svelte/icons/folder-search';
import KeyRound from '@lucide/svelte/icons/key-round';
import LayoutDashboard from '@lucide/svelte/icons/layout-dashboard';
import PackageOpen from '@lucide/svelte/icons/package-open';
import Server from '@lucide/svelte/icons/server';
import Settings from '@lucide/svelte/icons/settings';
import type { Component } from 'svelte';
import type { ViewName } from '../data/places/router.svelte.ts';

export const viewIcons: Record<ViewName, Component> = {
  overview: LayoutDashboard,
  projects: FolderGit2,
  find: FolderSearch,
  plans: CalendarClock,
  migrations: ArrowLeftRight,
  archives: Archive,
  import: PackageOpen,
  check: FileSearch,
  activity: Activity,
  instances: Server,
  tokens: KeyRound,
  settings: Settings,
};
