/** @file Routes for the caller's own user and for other users (gitlab-facts 11). */
import type { FastifyInstance } from 'fastify';
import { parameterError, notFound, messageError } from '../../requests/api-error.ts';
import { parametersOf, textOf } from '../../requests/bodies.ts';
import { offsetPage } from '../../requests/pages.ts';
import { parseBoolean, booleanOf, queryOf, textParameter } from '../../requests/query.ts';
import { callerOf, viewerOf } from '../../requests/server.ts';
import type { Services } from '../../services.ts';
import type { User } from '../../sandbox-database.ts';
import type { IdRoute } from '../project-access.ts';
import { basicUser, matchesUser } from '../projects/record-views.ts';

/** GitLab's names for the users of group and project tokens. */
const isBot = ({ username }: User): boolean => /^(group|project)(_\d+)?_bot/.test(username);

export function userRoutes(app: FastifyInstance, services: Services): void {
  const { database, url } = services;

  const publicView = (user: User): object => ({
    ...basicUser(user, url()),
    created_at: '2024-01-01T00:00:00.000Z',
    bio: '',
    location: '',
    bot: isBot(user),
  });

  const detailedView = (user: User): object => ({
    ...publicView(user),
    email: user.email,
    commit_email: user.email,
    two_factor_enabled: false,
    external: false,
    can_create_group: true,
    can_create_project: user.projectsLimit > 0,
    projects_limit: user.projectsLimit,
    identities: [],
    private_profile: user.privateProfile,
  });

  app.get('/user', { config: { scopes: ['api', 'read_api', 'read_user'] } }, (request) => {
    const { user } = callerOf(request);
    // Only administrators see this flag and the id of their own namespace.
    const administratorFields = {
      is_admin: true,
      note: null,
      namespace_id: database.personalNamespace(user)?.id,
    };
    return { ...detailedView(user), ...(user.administrator ? administratorFields : {}) };
  });

  app.get('/users', (request, reply) => {
    const viewer = viewerOf(request);
    const query = queryOf(request);
    const username = query.get('username')?.toLowerCase() ?? null;
    // Without a token, only a search for a whole username finds a user.
    if (viewer === null && username === null)
      throw messageError(403, '403 Forbidden - Not authorized to access /api/v4/users');
    const search = query.get('search') ?? '';
    const states = (['active', 'blocked'] as const).filter((state) => booleanOf(query, state) === true);
    const rows = [...database.users.values()]
      .filter((user) => username === null || user.username.toLowerCase() === username)
      .filter((user) => matchesUser(user, search))
      .filter((user) => states.length === 0 || states.includes(user.state))
      .sort((a, b) => b.id - a.id);
    return offsetPage(request, reply, url(), rows).map((user) => basicUser(user, url()));
  });

  const userOf = (id: string): User => {
    if (!/^\d+$/.test(id)) throw parameterError(400, 'id is invalid');
    const user = database.users.get(Number(id));
    if (user === undefined) throw notFound('User');
    return user;
  };

  app.get<IdRoute>('/users/:id', (request) => {
    const { user: viewer } = callerOf(request);
    const user = userOf(request.params.id);
    return viewer.administrator ? { ...detailedView(user), is_admin: user.administrator } : publicView(user);
  });

  app.put<IdRoute>('/users/:id', (request) => {
    if (!callerOf(request).user.administrator) throw messageError(403, '403 Forbidden');
    const user = userOf(request.params.id);
    const parameters = parametersOf(request);
    const privateProfile = textOf(parameters, 'private_profile');
    const limit = textParameter(parameters, 'projects_limit');
    if (privateProfile !== null) user.privateProfile = parseBoolean(privateProfile) === true;
    if (limit !== null) user.projectsLimit = Number(limit);
    return { ...detailedView(user), is_admin: user.administrator };
  });
}
