import { mount } from 'svelte';
import '../kit/tokens.css';
import '../kit/base.css';
import DesignPage from './DesignPage.svelte';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no #app');
mount(DesignPage, { target });
