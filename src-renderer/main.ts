import { mount } from 'svelte';
import App from './App.svelte';
import { restoreAppearance } from './state/appearance.ts';
import { refuseStrayDrops } from './state/files/stray-drops.ts';
import './ui/tokens.css';
import './ui/base.css';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no #app');
restoreAppearance();
refuseStrayDrops(document);
mount(App, { target });
