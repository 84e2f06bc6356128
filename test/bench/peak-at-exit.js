// @ts-check
/** @file Loaded before a program with `--import`: writes the peak memory of the process to `PEAK_FILE` when it ends. */
import { writeFileSync } from 'node:fs';
import { peakMegabytes } from './peak-memory.js';

const file = process.env['PEAK_FILE'];
if (file !== undefined)
  process.on('exit', () => {
    writeFileSync(file, String(peakMegabytes()));
  });
