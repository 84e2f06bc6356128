/** Which component has which class, so that no two have the same one. */
const components = new Map();

/** @type {import('@sveltejs/vite-plugin-svelte').SvelteConfig} */
export default {
  compilerOptions: {
    // Components of packages say for themselves which mode they are written for.
    runes: ({ filename }) => (filename.includes('node_modules') ? undefined : true),
    // Short, as it stands at every element that has a style. Classes of our own begin with a letter.
    cssHash: ({ hash, css, filename }) => {
      const name = `_${hash(filename ?? css).slice(0, 4)}`;
      const other = components.get(name) ?? filename;
      if (other !== filename) throw new Error(`${filename} and ${other} would have the same class ${name}.`);
      components.set(name, filename);
      return name;
    },
  },
};
