/**
 * @file Entry point of the command line. Runs from source and from the build under Node; never under Electron.
 */
import { collectBuffersPromptly } from '../platform/memory.ts';

// Before anything else is loaded: a space for new objects that grew meanwhile does not shrink again.
collectBuffersPromptly();
const { runProgram } = await import('./cli/program.ts');
await runProgram();
