/** @file Makes `import 'electron'` mean the stand-in; to be given to Node's `--import` before the built desktop host. */
import { registerHooks } from 'node:module';

const standIn = new URL('./electron-module.ts', import.meta.url).href;

registerHooks({
  resolve: (name, context, next) =>
    name === 'electron' ? { url: standIn, shortCircuit: true } : next(name, context),
});
