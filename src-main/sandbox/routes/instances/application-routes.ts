/** @file The application settings that the sandbox supports; only administrators may read them (gitlab-facts 4). */
import type { FastifyInstance } from 'fastify';
import { messageError } from '../../requests/api-error.ts';
import { callerOf } from '../../requests/server.ts';
import type { Services } from '../../services.ts';

const mebibyte = 2 ** 20;

export function applicationRoutes(app: FastifyInstance, services: Services): void {
  const { database, disabledFeatures, maxExportSize, maxImportSize, maxAttachmentSize } = services;

  app.get('/application/settings', (request) => {
    if (!callerOf(request).user.administrator) throw messageError(403, '403 Forbidden');
    return {
      import_sources: ['github', 'git', ...(disabledFeatures.has('import') ? [] : ['gitlab_project'])],
      project_export_enabled: !disabledFeatures.has('export'),
      max_import_size: maxImportSize / mebibyte,
      max_export_size: maxExportSize / mebibyte,
      max_decompressed_archive_size: 25_600,
      max_attachment_size: maxAttachmentSize / mebibyte,
      restricted_visibility_levels: [...database.restrictedVisibilities],
    };
  });
}
