import { mount } from 'svelte';
import '../ui/tokens.css';
import '../ui/base.css';
import DesignPage from './DesignPage.svelte';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no #app');
mount(DesignPage, { target });
