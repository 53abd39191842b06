import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/*
 * Loaded before anything else in every process of the app (`NODE_OPTIONS=--import=…`): whoever imports `electron`
 * gets the stand-in's module, of main or of a utility process.
 */
const isUtility = process.env.STAND_IN_PROCESS === 'utility';
const module = new URL(isUtility ? './utility-module.ts' : './main-module.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: module, shortCircuit: true } : next(specifier, context),
});

if (isUtility && isMainThread) (await import('./parent-port.ts')).openParentPort();
