/** @file Calls that change a project. The request is checked here, and a job makes the change once. */
import { stat } from 'node:fs/promises';
import type { Change, ChangeInput } from '../../../src-contract/projects/change.ts';
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import { checkAttributes } from '../../../src-contract/projects/project-attribute-values.ts';
import type { Confirmations } from '../host/confirmations.ts';
import { resolveNamespace } from '../transfers/import-handlers.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';

type Requested = ParsedRequest<'project.change'>['change'];
type Of<Kind extends Requested['kind']> = Extract<Requested, { kind: Kind }>;

interface Draft {
  project: string;
  input: ChangeInput;
}

const bad = (message: string): AppError => new AppError('invalid-input', message);

/** `import_url` may contain a user name and password, which must not be stored. */
function withoutSecret(
  services: Services,
  attributes: Record<string, unknown>,
): { attributes: Record<string, unknown>; secret: string | null } {
  const address = attributes['import_url'];
  const url = typeof address === 'string' ? URL.parse(address) : null;
  if (url === null || (url.username === '' && url.password === '')) return { attributes, secret: null };
  const secret = services.secretAddresses.store(url.href);
  url.username = url.password = '';
  return { attributes: { ...attributes, import_url: url.href }, secret };
}

async function creation(
  services: Services,
  instance: Instance,
  typed: string,
  change: Of<'create'>,
  signal: AbortSignal,
): Promise<Draft> {
  const at = typed.lastIndexOf('/');
  const path = typed.slice(at + 1);
  const { namespace_id: id, ...others } = checkAttributes(change.forUser === null ? 'create' : 'createFor', {
    path,
    ...change.attributes,
  });
  if (others['path'] !== path) throw bad(`The attribute "path" is not the last part of "${typed}".`);
  const parent = at < 0 ? null : typed.slice(0, at);
  const given = change.namespace ?? parent ?? (typeof id === 'number' ? String(id) : null);
  if (given === null && change.forUser !== null) {
    throw bad('The path of a project for another user must begin with the namespace of that user.');
  }
  const namespace = await resolveNamespace(services, instance, given, signal).catch((thrown: unknown) => {
    const { code, message, retry, details } = AppError.from(thrown);
    throw new AppError(code, message, { retry, details: { ...details, inPath: true }, cause: thrown });
  });
  if (typeof id === 'number' && given !== String(id)) {
    const named = await services.connections.connect(instance).namespacePath(String(id), signal);
    if (named.toLowerCase() !== namespace.toLowerCase()) {
      throw bad(
        `The attribute "namespace_id" means ${named}, but the path names ${namespace}. Leave one of them out.`,
      );
    }
  }
  if (parent !== null && given !== parent && namespace.toLowerCase() !== parent.toLowerCase()) {
    throw bad(`"${typed}" is not in the namespace ${namespace}.`);
  }
  const { attributes, secret } = withoutSecret(services, others);
  return {
    project: `${namespace}/${path}`,
    input: { change: { ...change, namespace, attributes }, projectId: null, secret },
  };
}

/** Returns the change in its stored form. Throws `invalid-input` for a change that no server could make. */
async function complete(
  services: Services,
  instance: Instance,
  change: Exclude<Requested, Of<'create'>>,
  signal: AbortSignal,
): Promise<{ change: Change; secret: string | null }> {
  switch (change.kind) {
    case 'edit': {
      const { attributes, secret } = withoutSecret(services, checkAttributes('edit', change.attributes));
      return { change: { ...change, attributes }, secret };
    }
    case 'fork': {
      const namespace = await resolveNamespace(services, instance, change.namespace, signal);
      return { change: { ...change, namespace }, secret: null };
    }
    case 'upload': {
      const found = await stat(change.file).catch(() => null);
      if (found?.isFile() !== true || found.size !== change.sizeBytes) {
        throw bad(`${change.file} is no longer a file of ${change.sizeBytes} bytes.`);
      }
      return { change, secret: null };
    }
    default:
      return { change, secret: null };
  }
}

export function changeHandlers(services: Services, confirmations: Confirmations) {
  return {
    'project.change': async ({ instance: name, project: typed, change, confirmation }, { signal }) => {
      const instance = services.instances.get(name);
      await services.checks.assertMayWrite(instance, signal);
      let draft: Draft;
      if (change.kind === 'create') {
        draft = await creation(services, instance, typed, change, signal);
      } else {
        const isOfMarked = change.kind === 'restore' || (change.kind === 'delete' && change.permanently);
        const { id, fullPath } = await (isOfMarked
          ? services.markedProjects.findIncludingMarked(instance, typed, signal)
          : services.connections.connect(instance).project(typed, signal));
        if (change.kind === 'delete') {
          confirmations.consume(confirmation, {
            action: 'project.delete',
            instance: name,
            project: fullPath,
          });
        }
        const whole = await complete(services, instance, change, signal);
        draft = { project: fullPath, input: { ...whole, projectId: id } };
      }
      const { project, input } = draft;
      const request = { instance: name, project, change: input.change };
      const enqueued = services.jobs.enqueueOne('change', request, { instance: name, project, input });
      services.secretAddresses.storeUnderKeyOf(enqueued.job, input.secret);
      return enqueued;
    },

    'project.checkAttributes': ({ use, attributes }) => ({ attributes: checkAttributes(use, attributes) }),
  } satisfies Partial<Handlers>;
}
