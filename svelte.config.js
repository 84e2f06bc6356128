/** @type {import('@sveltejs/vite-plugin-svelte').SvelteConfig} */
export default {
  // Components of packages say for themselves which mode they are written for.
  compilerOptions: { runes: ({ filename }) => (filename.includes('node_modules') ? undefined : true) },
};
