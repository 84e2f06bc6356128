/** @file The discussions of snippets and commits. An archive has the notes on commits as records of their own. */
import type { FastifyInstance } from 'fastify';
import { messageError } from '../../requests/api-error.ts';
import { notesOf, recordsOf, type JsonRecord } from '../../content/project-content.ts';
import { roles } from '../../sandbox-database.ts';
import type { Services } from '../../services.ts';
import { projectAccess } from '../project-access.ts';
import { noteableViews, rowId, type NoteView } from './noteable-views.ts';

export function discussionRoutes(app: FastifyInstance, services: Services): void {
  const { viewNote } = noteableViews(services);
  const { findReadableProject, findProjectWithRole, paginate } = projectAccess(services);

  app.get<{ Params: { id: string; snippet: string } }>(
    '/projects/:id/snippets/:snippet/discussions',
    (request, reply) => {
      const { project } = findProjectWithRole(request, roles.none);
      const snippet = recordsOf(project.content(), 'snippets').find(
        (_, index) => String(rowId(project, 'snippets', index)) === request.params.snippet,
      );
      if (snippet === undefined) throw messageError(404, '404 Snippet Not Found');
      return paginate(request, reply, discussionsIn(notesOf(snippet), viewNote));
    },
  );

  app.get<{ Params: { id: string; sha: string } }>(
    '/projects/:id/repository/commits/:sha/discussions',
    (request, reply) => {
      const { project } = findReadableProject(request);
      const notes = recordsOf(project.content(), 'commit_notes').filter(
        ({ commit_id: sha }) => sha === request.params.sha,
      );
      return paginate(request, reply, discussionsIn(notes, viewNote));
    },
  );
}

export function discussionsIn(notes: readonly JsonRecord[], viewNote: NoteView): object[] {
  const byDiscussion = Map.groupBy(notes.map(viewNote), (note) => note.discussion_id);
  return [...byDiscussion].map(([id, discussionNotes]) => ({
    id,
    individual_note: discussionNotes.length === 1 && discussionNotes[0]?.type === null,
    notes: discussionNotes,
  }));
}
