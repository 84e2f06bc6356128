/** @file The import status record (gitlab-facts 15.2, 2 and 5.5). */
import { isoTime } from '../../../platform/clock.ts';
import { notesOf, recordsOf, type JsonRecord } from '../../content/project-content.ts';
import type { Services } from '../../services.ts';
import type { Project } from '../../sandbox-database.ts';
import { identityView } from '../projects/project-view.ts';

/** @param mayRead true if the caller may see why an import failed. */
export function importView({ showsFailureMessages }: Services, project: Project, mayRead: boolean): object {
  const hiddenText = 'Ask a maintainer to check the import status for more details.';
  return {
    ...identityView(project),
    import_status: project.importStatus,
    import_type: project.importType,
    correlation_id: project.correlationId,
    failed_relations: [...project.importFailures]
      .reverse()
      .slice(0, 100)
      .map((failure) => ({
        id: failure.id,
        created_at: isoTime(failure.createdAt),
        exception_class: failure.exceptionClass,
        exception_message: showsFailureMessages ? failure.message : null,
        source: 'process_relation_item!',
        relation_name: failure.relation,
        line_number: failure.line,
      })),
    import_error: project.importError === null || mayRead ? project.importError : hiddenText,
    stats: project.importType === 'github' ? githubStats(project) : null,
  };
}

/**
 * Returns the statistics of an import from another code host. The sandbox never runs such an import, but seeds one
 * project as if it had been imported that way and had lost one note.
 */
function githubStats(project: Project): object {
  const content = project.content();
  const mergeRequests = recordsOf(content, 'merge_requests');
  const notes = [...recordsOf(content, 'issues'), ...mergeRequests].flatMap(notesOf);
  const isOnDiff = (note: JsonRecord): boolean => note['type'] === 'DiffNote';
  const imported = {
    diff_note: notes.filter(isOnDiff).length,
    issue: recordsOf(content, 'issues').length,
    label: recordsOf(content, 'labels').length,
    note: notes.filter((note) => !isOnDiff(note)).length,
    pull_request: mergeRequests.length,
    pull_request_merged_by: mergeRequests.filter((record) => record['state'] === 'merged').length,
    pull_request_review: mergeRequests.filter((record) => notesOf(record).length > 0).length,
  };
  return { fetched: { ...imported, note: imported.note + 1 }, imported };
}
