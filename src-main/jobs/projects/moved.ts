/** @file Marks a project as moved: adds a line with the new place to its description, and archives it. */
import type { Change } from '../../../src-contract/projects/change.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { StepContext } from '../running/step.ts';
import { createPreparedChange, changeEffect, projectIdOf, type ChangeSteps } from './change-work.ts';

/** gitlab-facts 7.1: characters in a description. */
const maxDescriptionLength = 2000;

const noteOf = (newPlace: string): string => `Moved to ${newPlace}`;

function withNote(description: string, newPlace: string): string | null {
  const note = noteOf(newPlace);
  if (description.split(/\r?\n/).some((line) => line.trim() === note)) return null;
  return description.trim() === '' ? note : `${description}\n\n${note}`;
}

type NoteStatus = 'none' | 'written' | 'not-taken';
const noteWords: Record<NoteStatus, string> = {
  none: '',
  written: '; its description already names the new place',
  'not-taken': '; its description does not name the new place, because the instance did not apply the change',
};

/**
 * Returns the error for refused archiving, which says if the note was written. The note needs Maintainer, archiving
 * needs Owner.
 */
function archiveRefusedError(error: AppError, fullPath: string, note: NoteStatus): AppError {
  if (error.code !== 'forbidden') return error;
  return new AppError(
    'role-too-low',
    `Marking ${fullPath} as archived needs the role Owner, and was refused${noteWords[note]}.`,
    { details: { project: fullPath, needs: 'Owner', noteNotTaken: note === 'not-taken' }, cause: error },
  );
}

export const markAsMovedChange = ({
  archive,
  newPlace,
}: Extract<Change, { kind: 'mark-as-moved' }>): ChangeSteps => {
  const readRemaining = async (context: StepContext) => {
    const { changes } = context.ports.instance;
    const { project, attributes } = await changes.details(projectIdOf(context), context.signal);
    const current = attributes['description'];
    const description =
      newPlace === null ? null : withNote(typeof current === 'string' ? current : '', newPlace);
    return { fullPath: project.fullPath, description, archive: archive && !project.archived };
  };
  const isDone = ({ description, archive: toArchive }: Awaited<ReturnType<typeof readRemaining>>): boolean =>
    description === null && !toArchive;
  return {
    requestName: 'request to note the new place',
    async prepare(context) {
      const remaining = await readRemaining(context);
      const length = remaining.description === null ? 0 : Array.from(remaining.description).length;
      if (length > maxDescriptionLength) {
        throw new AppError(
          'invalid-input',
          `The description of ${remaining.fullPath} has no room for the new place: it would have ${length} characters, and GitLab accepts at most ${maxDescriptionLength}.`,
        );
      }
      return { ...(await createPreparedChange(context, remaining.fullPath)), already: isDone(remaining) };
    },
    // Both parts are idempotent. The note comes first: an archived project accepts fewer changes.
    async send(context) {
      const { changes } = context.ports.instance;
      const projectId = projectIdOf(context);
      const remaining = await readRemaining(context);
      const { notTaken } =
        remaining.description === null
          ? { notTaken: [] }
          : await changes.edit(projectId, { description: remaining.description }, context.signal);
      if (remaining.archive) {
        await changes.setArchived(projectId, true, context.signal).catch((thrown: unknown) => {
          const note = newPlace === null ? 'none' : notTaken.length > 0 ? 'not-taken' : 'written';
          throw archiveRefusedError(AppError.from(thrown), remaining.fullPath, note);
        });
      }
      return { ...changeEffect(projectId), notTaken };
    },
    findEffect: async (context) =>
      isDone(await readRemaining(context)) ? changeEffect(projectIdOf(context)) : null,
  };
};
