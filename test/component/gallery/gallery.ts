import { mount } from 'svelte';
import '../../../src-renderer/kit/tokens.css';
import '../../../src-renderer/kit/base.css';
import Gallery from './Gallery.svelte';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no element #app.');
mount(Gallery, { target });
