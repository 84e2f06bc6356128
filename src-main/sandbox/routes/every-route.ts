/** @file Adds every route of the API; what must happen before them comes first. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../services.ts';
import { applicationRoutes } from './application-routes.ts';
import { deletionRoutes } from './deletion-routes.ts';
import { exportRoutes } from './export-routes.ts';
import { extraRoutes } from './extra-routes.ts';
import { forkRoutes } from './fork-routes.ts';
import { importRoutes } from './import-routes.ts';
import { instanceRoutes } from './instance-routes.ts';
import { movedProjects } from './moved-projects.ts';
import { namespaceRoutes } from './namespace-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { projectListRoutes } from './project-list-routes.ts';
import { projectRoutes } from './project-routes.ts';
import { projectWriteRoutes } from './project-write-routes.ts';
import { relationImportRoutes } from './relation-import-routes.ts';
import { relationRoutes } from './relation-routes.ts';
import { starRoutes } from './star-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { uploadRoutes } from './upload-routes.ts';
import { userRoutes } from './user-routes.ts';

const subjects = [
  movedProjects,
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
  peopleRoutes,
  extraRoutes,
  uploadRoutes,
  relationRoutes,
  exportRoutes,
  importRoutes,
  relationImportRoutes,
  tokenRoutes,
];

export function everyRoute(app: FastifyInstance, services: Services): void {
  for (const routes of subjects) routes(app, services);
}
