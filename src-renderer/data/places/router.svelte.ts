/** @file The current view and its parameters, in `location.hash`: `#/projects?instance=work&project=group/app`. */
import { SvelteURLSearchParams } from 'svelte/reactivity';

export const navigationViews = [
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
type NavigationView = (typeof navigationViews)[number];
/** Views that are opened from another view. The navigation highlights that other view instead. */
const innerViews = { find: 'projects' } as const satisfies Record<string, NavigationView>;
export type ViewName = NavigationView | keyof typeof innerViews;

/** Parameters of a view; a parameter that is null or undefined is omitted. */
export type RouteParameters = Readonly<Record<string, string | null | undefined>>;

function isView(name: string): name is ViewName {
  return (navigationViews as readonly string[]).includes(name) || Object.hasOwn(innerViews, name);
}

export const navigationEntryOf = (view: ViewName): NavigationView =>
  Object.hasOwn(innerViews, view) ? innerViews[view as keyof typeof innerViews] : (view as NavigationView);

interface Route {
  view: ViewName;
  parameters: URLSearchParams;
  unknownView: string | null;
}

function parse(hash: string): Route {
  const [name = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return isView(name)
    ? { view: name, parameters: new SvelteURLSearchParams(query), unknownView: null }
    : { view: 'overview', parameters: new SvelteURLSearchParams(), unknownView: name === '' ? null : name };
}

export function hrefOf(view: ViewName, parameters: RouteParameters = {}): string {
  const entries = Object.entries(parameters).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, value] as [string, string]],
  );
  const query = new SvelteURLSearchParams(entries).toString();
  return `#/${view}${query === '' ? '' : `?${query}`}`;
}

class Router {
  #route = $state.raw(parse(window.location.hash));

  get view(): ViewName {
    return this.#route.view;
  }

  get unknownView(): string | null {
    return this.#route.unknownView;
  }

  parameter(name: string): string | null {
    return this.#route.parameters.get(name);
  }

  /** Opens a view like a link: the back button returns here. */
  go(view: ViewName, parameters: RouteParameters = {}): void {
    window.location.hash = hrefOf(view, parameters);
  }

  /** Changes parameters of the current view without an entry in the history; null removes a parameter. */
  replace(change: RouteParameters): void {
    const all = { ...Object.fromEntries(this.#route.parameters), ...change };
    window.history.replaceState(null, '', hrefOf(this.#route.view, all));
    this.#read();
  }

  /** Starts following the address, and returns a function that stops it. */
  follow(): () => void {
    window.addEventListener('hashchange', this.#read);
    this.#read();
    return () => {
      window.removeEventListener('hashchange', this.#read);
    };
  }

  readonly #read = (): void => {
    this.#route = parse(window.location.hash);
  };
}

export const router = new Router();
