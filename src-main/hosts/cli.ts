/** @file Entry point of the command line. Runs from source and from the build under Node; never under Electron. */
import { collectBuffersPromptly } from '../platform/memory.ts';

// Runs before other modules are loaded: V8's space for new objects does not shrink again once it has grown.
collectBuffersPromptly();
const { runProgram } = await import('./cli/program.ts');
await runProgram();
