/**
 * @file Makes `import 'electron'` resolve to the fake module; pass it to Node's `--import` before the built desktop
 * host.
 */
import { registerHooks } from 'node:module';

const standIn = new URL('./electron-module.ts', import.meta.url).href;

registerHooks({
  resolve: (name, context, next) =>
    name === 'electron' ? { url: standIn, shortCircuit: true } : next(name, context),
});
