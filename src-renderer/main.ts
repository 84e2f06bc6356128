import { mount } from 'svelte';
import App from './App.svelte';
import { restoreAppearance } from './data/appearance.ts';
import { refuseDroppedFiles } from './data/files/stray-drops.ts';
import './kit/tokens.css';
import './kit/base.css';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no element #app.');
restoreAppearance();
refuseDroppedFiles(document);
mount(App, { target });
