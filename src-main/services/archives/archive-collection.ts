/** @file The archive folders and their index. Types only. */
import type { ArchiveIndex } from '../../catalogue/archives/archive-index.ts';
import type { ArchiveRoots } from './folders/archive-roots.ts';

export interface ArchiveCollection {
  roots: ArchiveRoots;
  index: ArchiveIndex;
}
