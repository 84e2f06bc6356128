/** @file The form of a migration's first step: its values, its errors, and the draft made of it. Pure. */
import { maxNameLength, waveSizeBounds, isIntegerWithin } from '../../../../src-contract/bounds.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import type { ErrorData } from '../../../../src-contract/errors.ts';
import type { Migration, MigrationDraft } from '../../../../src-contract/migrations/migration.ts';
import { common } from '../../../kit/common.text.ts';
import { chooseText as text } from '../migrations.text.ts';
import {
  selectionFormOf,
  selectionOf,
  selectionProblems,
  type SelectionForm,
  type SelectionProblems,
} from '../../plans/editor/selection-form.ts';
import { hasErrors, paramsOf, rowsOf, type OverrideRow } from '../../shared/forms/override-rows.ts';

export interface MigrationForm {
  name: string;
  target: string;
  /** The projects to migrate. The instance of the selection is the source. */
  selection: SelectionForm;
  waveSize: number | null;
  freeze: boolean;
  compare: MigrationDraft['compare'];
  overrides: OverrideRow[];
}
export type MigrationFormErrors = Partial<
  Record<'name' | 'source' | 'target' | 'waveSize' | 'overrides', string>
> &
  SelectionProblems;

/**
 * `instances` are names, the most likely source first. The default target is the second name, or the source if there is
 * only one.
 */
export function migrationFormOf(migration: Migration | null, instances: readonly string[]): MigrationForm {
  const [source = '', target = source] = instances;
  return {
    name: migration?.name ?? '',
    target: migration?.target ?? target,
    selection: selectionFormOf(migration?.selection ?? null, migration?.source ?? source),
    waveSize: migration?.waveSize ?? null,
    freeze: migration?.freeze ?? false,
    compare: migration?.compare ?? 'contents',
    overrides: rowsOf(migration?.overrideParams ?? {}),
  };
}

export function migrationFormErrors(form: MigrationForm): MigrationFormErrors {
  const problems: MigrationFormErrors = selectionProblems(form.selection);
  const name = form.name.trim();
  if (name === '') problems.name = text.nameMissing;
  else if (name.length > maxNameLength) problems.name = text.nameLong;
  if (form.selection.instance === '') problems.source = text.instanceMissing;
  if (form.target === '') problems.target = text.instanceMissing;
  if (form.waveSize !== null && !isIntegerWithin(form.waveSize, waveSizeBounds)) {
    problems.waveSize = text.waveSizeWrong;
  }
  if (hasErrors(form.overrides)) problems.overrides = common.fixErrorsAbove;
  return problems;
}

export function fieldErrorsFrom(error: ErrorData): MigrationFormErrors {
  return error.code === 'already-exists' ? { name: errorText(error).what } : {};
}

/** Returns null while the form has errors. */
export function draftOf(form: MigrationForm): Omit<MigrationDraft, 'rules'> | null {
  const selection = selectionOf(form.selection);
  const overrideParams = paramsOf(form.overrides);
  if (selection === null || overrideParams === null || Object.keys(migrationFormErrors(form)).length > 0) {
    return null;
  }
  const { target, waveSize, freeze, compare } = form;
  const source = form.selection.instance;
  const name = form.name.trim();
  return { name, source, target, selection, overrideParams, freeze, waveSize, compare };
}
