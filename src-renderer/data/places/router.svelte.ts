/**
 * @file The current view and its parameters, stored in `location.hash`, so that back, forward and deep links work:
 * `#/projects?instance=work&project=group/app`.
 */
import { SvelteURLSearchParams } from 'svelte/reactivity';

/** The views of the navigation. */
export const viewNames = [
  'overview',
  'projects',
  'plans',
  'migrations',
  'archives',
  'import',
  'check',
  'activity',
  'instances',
  'tokens',
  'settings',
] as const;
type NavigationView = (typeof viewNames)[number];
/** Views that are opened from another view; the navigation highlights that view. */
const innerViews = { find: 'projects' } as const satisfies Record<string, NavigationView>;
export type ViewName = NavigationView | keyof typeof innerViews;

/** Parameters of a view; null and undefined leave one out. */
export type RouteParameters = Readonly<Record<string, string | null | undefined>>;

function isView(name: string): name is ViewName {
  return (viewNames as readonly string[]).includes(name) || Object.hasOwn(innerViews, name);
}

/** Returns the view that the navigation highlights. */
export const inNavigation = (view: ViewName): NavigationView =>
  Object.hasOwn(innerViews, view) ? innerViews[view as keyof typeof innerViews] : (view as NavigationView);

interface Route {
  view: ViewName;
  parameters: URLSearchParams;
  /** The name in the address if it is no view. */
  unknown: string | null;
}

function parse(hash: string): Route {
  const [name = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return isView(name)
    ? { view: name, parameters: new SvelteURLSearchParams(query), unknown: null }
    : { view: 'overview', parameters: new SvelteURLSearchParams(), unknown: name === '' ? null : name };
}

/** The link of a view. */
export function hrefOf(view: ViewName, parameters: RouteParameters = {}): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, value] as [string, string]],
  );
  const query = new SvelteURLSearchParams(given).toString();
  return `#/${view}${query === '' ? '' : `?${query}`}`;
}

class Router {
  #route = $state.raw(parse(window.location.hash));

  get view(): ViewName {
    return this.#route.view;
  }

  /** The name in the address if it is no view; nothing can be shown then. */
  get unknown(): string | null {
    return this.#route.unknown;
  }

  /** Parameter of the current view; null if it is not given. */
  parameter(name: string): string | null {
    return this.#route.parameters.get(name);
  }

  /** Opens a view like a link: the back button returns here. */
  go(view: ViewName, parameters: RouteParameters = {}): void {
    window.location.hash = hrefOf(view, parameters);
  }

  /** Changes parameters of the current view without an entry in the history; null removes one. */
  replace(change: RouteParameters): void {
    const all = { ...Object.fromEntries(this.#route.parameters), ...change };
    window.history.replaceState(null, '', hrefOf(this.#route.view, all));
    this.#read();
  }

  /** Starts following the address; returns a function that stops. */
  follow(): () => void {
    const read = (): void => {
      this.#read();
    };
    window.addEventListener('hashchange', read);
    read();
    return () => {
      window.removeEventListener('hashchange', read);
    };
  }

  #read(): void {
    this.#route = parse(window.location.hash);
  }
}

export const router = new Router();
