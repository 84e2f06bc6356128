/** @file A project's protections, approval rules, job token scope and wiki pages: enough to compare an import. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { recordsOf, type FileBytes, type JsonRecord } from '../../content/project-content.ts';
import { booleanOf, queryOf } from '../../requests/query.ts';
import type { Services } from '../../services.ts';
import { parametersOf } from '../../requests/bodies.ts';
import { roles, type Project } from '../../sandbox-database.ts';
import { tierIncludes, type Tier } from '../../tier.ts';
import { type IdRoute, projectAccess } from '../project-access.ts';
import { objectsIn, userViews } from '../transfers/noteable-views.ts';

const roleNames: Record<number, string> = { 0: 'No one', 30: 'Developers + Maintainers', 40: 'Maintainers' };

export function protectionRoutes(app: FastifyInstance, services: Services): void {
  const { findReadableProject, findProjectWithRole, paginate } = projectAccess(services);
  const userView = userViews(services.database, services.url);
  const hasPremium = tierIncludes(services.tier, 'premium');

  const addListRoute = (path: string, view: (record: JsonRecord, id: number) => object): void => {
    app.get<IdRoute>(`/projects/:id/${path}`, (request, reply) => {
      const { project } = findProjectWithRole(request, roles.maintainer);
      const records = recordsOf(project.content(), path);
      return paginate(request, reply, records).map((record) => view(record, records.indexOf(record) + 1));
    });
  };

  addListRoute('protected_branches', protectedBranchView(services.tier));
  addListRoute('protected_tags', protectedTagView);

  if (hasPremium) {
    addListRoute('protected_environments', (record) => ({
      name: record['name'],
      deploy_access_levels: levelsOf(record['deploy_access_levels']),
      ...{ required_approval_count: 0, approval_rules: [] },
    }));
    addListRoute('approval_rules', (record, id) => ({
      id,
      name: record['name'],
      rule_type: record['rule_type'],
      approvals_required: record['approvals_required'],
      applies_to_all_protected_branches: record['applies_to_all_protected_branches'] === true,
      users: objectsIn(record['approval_project_rules_users']).map(({ user_id: user }) => userView(user)),
      ...{ groups: [], contains_hidden_groups: false },
      protected_branches: objectsIn(record['approval_project_rules_protected_branches']).map(
        ({ branch_name: branch }) => ({ name: branch }),
      ),
    }));
  }

  if (hasPremium) {
    app.get<IdRoute>('/projects/:id/approvals', (request) =>
      approvalsView(findProjectWithRole(request, roles.maintainer).project),
    );
    app.post<IdRoute>('/projects/:id/approvals', (request, reply) => {
      const { project } = findProjectWithRole(request, roles.maintainer);
      const parameters = Object.entries(parametersOf(request));
      for (const [name, value] of parameters) if (name in approvalDefaults) project.attributes[name] = value;
      return reply.code(201).send(approvalsView(project));
    });
  }

  app.get<IdRoute>('/projects/:id/job_token_scope', (request) => {
    const { project } = findProjectWithRole(request, roles.maintainer);
    return { inbound_enabled: project.attributes[inboundScope] ?? true, outbound_enabled: false };
  });
  app.patch<IdRoute>('/projects/:id/job_token_scope', (request, reply) => {
    const { project } = findProjectWithRole(request, roles.maintainer);
    project.attributes[inboundScope] = parametersOf(request)['enabled'];
    return reply.code(204).send();
  });

  // Wiki pages are not modelled: a wiki has just its home page, whose content stands for the whole repository.
  app.get<IdRoute>('/projects/:id/wikis', async (request) => {
    const bundle = findReadableProject(request).project.content().otherFiles.get('project.wiki.bundle');
    if (bundle === undefined) return [];
    const page = { format: 'markdown', slug: 'home', title: 'home' };
    const hasContent = booleanOf(queryOf(request), 'with_content') ?? false;
    return [hasContent ? { ...page, content: await contentOf(bundle), encoding: 'UTF-8' } : page];
  });
}

export const protectedBranchView =
  (tier: Tier) =>
  (record: JsonRecord, id: number): object => ({
    id,
    name: record['name'],
    push_access_levels: levelsOf(record['push_access_levels']),
    merge_access_levels: levelsOf(record['merge_access_levels']),
    ...(tierIncludes(tier, 'premium') && {
      unprotect_access_levels: levelsOf(record['unprotect_access_levels']),
    }),
    allow_force_push: record['allow_force_push'] === true,
    code_owner_approval_required: record['code_owner_approval_required'] === true,
  });

export const protectedTagView = (record: JsonRecord): object => ({
  name: record['name'],
  create_access_levels: levelsOf(record['create_access_levels']),
});

/** The settings of approvals in a new project. */
const approvalDefaults = {
  reset_approvals_on_push: true,
  disable_overriding_approvers_per_merge_request: false,
  merge_requests_author_approval: false,
  merge_requests_disable_committers_approval: false,
  require_password_to_approve: false,
};

/** The column of GitLab's table, which no export contains. */
const inboundScope = 'inbound_job_token_scope_enabled';

const approvalsView = ({ attributes }: Project): object => ({
  ...{ approvers: [], approver_groups: [] },
  approvals_before_merge: attributes['approvals_before_merge'] ?? 0,
  ...Object.fromEntries(
    Object.entries(approvalDefaults).map(([name, value]) => [name, attributes[name] ?? value]),
  ),
});

async function contentOf(bundle: FileBytes): Promise<string> {
  const bytes = Buffer.isBuffer(bundle) ? bundle : await readFile(bundle.path);
  return `# Home\n\n${createHash('sha256').update(bytes).digest('hex')}\n`;
}

/** Newer versions show the deploy key of a level, and leave the column out for other levels. */
function levelsOf(levels: unknown): object[] {
  return objectsIn(levels).map((level, index) => ({
    id: index + 1,
    access_level: level['access_level'],
    access_level_description: roleNames[Number(level['access_level'])] ?? null,
    user_id: level['user_id'] ?? null,
    group_id: level['group_id'] ?? null,
    ...(typeof level['deploy_key_id'] === 'number' && { deploy_key_id: level['deploy_key_id'] }),
  }));
}
