/** @file True while the window is too narrow for a panel beside the content. */
import { MediaQuery } from 'svelte/reactivity';

export const narrow = new MediaQuery('max-width: 60rem');
