import { onTestFinished } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { liveJobs } from '../../../../src-renderer/data/calls/live-jobs.svelte.ts';
import { router } from '../../../../src-renderer/data/places/router.svelte.ts';
import OverviewView from '../../../../src-renderer/views/overview/OverviewView.svelte';
import { scriptWindow, type Script } from '../../support/window.ts';

const noPlans: Script = { 'plan.list': { plans: [] }, 'plan.history': { plans: [] } };
const noJobs = { jobs: [], next: null };

/** Renders the overview and follows the jobs and the address, as the frame does. */
export async function openOverview(script: Script) {
  const bridge = scriptWindow({ 'job.list': noJobs, ...noPlans, ...script });
  const ends = [router.follow(), liveJobs.follow()];
  onTestFinished(() => {
    for (const end of ends) end();
  });
  return { bridge, screen: await render(OverviewView) };
}
