/** @file Adds every route of the API, after the hooks that must run before them. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../services.ts';
import { applicationRoutes } from './instances/application-routes.ts';
import { deletionRoutes } from './projects/deletion-routes.ts';
import { discussionRoutes } from './transfers/discussion-routes.ts';
import { exportRoutes } from './transfers/export-routes.ts';
import { notExportedRoutes } from './projects/extra-routes.ts';
import { forkRoutes } from './projects/fork-routes.ts';
import { importRoutes } from './transfers/import-routes.ts';
import { instanceRoutes } from './instances/instance-routes.ts';
import { invitationRoutes } from './projects/invitation-routes.ts';
import { movedProjectHooks } from './projects/moved-projects.ts';
import { namespaceRoutes } from './instances/namespace-routes.ts';
import { accessRoutes } from './projects/access-routes.ts';
import { projectListRoutes } from './projects/project-list-routes.ts';
import { projectRoutes } from './projects/project-routes.ts';
import { projectToolRoutes } from './transfers/project-tool-routes.ts';
import { projectWriteRoutes } from './projects/project-write-routes.ts';
import { protectionRoutes } from './projects/protection-routes.ts';
import { pipelineRoutes } from './transfers/pipeline-routes.ts';
import { recordPartRoutes } from './transfers/record-part-routes.ts';
import { recordWriteRoutes } from './projects/record-write-routes.ts';
import { relationImportRoutes } from './transfers/relation-import-routes.ts';
import { relationRoutes } from './transfers/relation-routes.ts';
import { starRoutes } from './projects/star-routes.ts';
import { tokenRoutes } from './instances/token-routes.ts';
import { uploadRoutes } from './transfers/upload-routes.ts';
import { userRoutes } from './instances/user-routes.ts';

const routeModules = [
  movedProjectHooks,
  instanceRoutes,
  applicationRoutes,
  userRoutes,
  namespaceRoutes,
  projectListRoutes,
  projectRoutes,
  projectWriteRoutes,
  forkRoutes,
  starRoutes,
  deletionRoutes,
  accessRoutes,
  invitationRoutes,
  notExportedRoutes,
  uploadRoutes,
  relationRoutes,
  projectToolRoutes,
  discussionRoutes,
  pipelineRoutes,
  recordPartRoutes,
  protectionRoutes,
  recordWriteRoutes,
  exportRoutes,
  importRoutes,
  relationImportRoutes,
  tokenRoutes,
];

export function registerRoutes(app: FastifyInstance, services: Services): void {
  for (const routes of routeModules) routes(app, services);
}
