/** @file Validates a change of a project, and enqueues a job that makes the change exactly once. */
import { stat } from 'node:fs/promises';
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { Change, ChangeInput } from '../../../src-contract/projects/change.ts';
import { checkAttributes } from '../../../src-contract/projects/project-attribute-values.ts';
import type { JobRequestDeps } from '../runs/job-request-deps.ts';
import type { EnqueuedJob } from '../runs/job-service.ts';
import { Service } from '../service.ts';
import type { MarkedProjects } from './marked-projects.ts';
import { resolveNamespace } from './namespaces.ts';

interface Deps extends JobRequestDeps {
  markedProjects: MarkedProjects;
}

type RequestedChange = ParsedRequest<'project.change'>['change'];
type ChangeOf<Kind extends RequestedChange['kind']> = Extract<RequestedChange, { kind: Kind }>;

interface Draft {
  project: string;
  input: ChangeInput;
}

interface SplitAttributes {
  attributes: Record<string, unknown>;
  secret: string | null;
}

const invalid = (message: string): AppError => new AppError('invalid-input', message);

export class ProjectChanges extends Service<Deps> {
  /**
   * Enqueues the change. `requireConfirmation` is called with the full path of a project that would be deleted; it throws
   * `confirmation-missing`. Throws `invalid-input` for a change that no server could make.
   */
  async start(
    { instance: name, project: enteredProject, change }: ParsedRequest<'project.change'>,
    requireConfirmation: (project: string) => void,
    signal: AbortSignal,
  ): Promise<EnqueuedJob> {
    const { instances, checks, jobService, secretAddresses } = this.deps;
    const instance = instances.get(name);
    await checks.assertMayWrite(instance, signal);
    const { project, input } =
      change.kind === 'create'
        ? await this.#draftCreation(instance, enteredProject, change, signal)
        : await this.#draftChange(instance, enteredProject, change, requireConfirmation, signal);
    const request = { instance: name, project, change: input.change };
    const enqueued = jobService.enqueueOne('change', request, { instance: name, project, input });
    secretAddresses.storeUnderKeyOf(enqueued.job, input.secret);
    return enqueued;
  }

  async #draftCreation(
    instance: Instance,
    enteredProject: string,
    change: ChangeOf<'create'>,
    signal: AbortSignal,
  ): Promise<Draft> {
    const { connections } = this.deps;
    const slash = enteredProject.lastIndexOf('/');
    const path = enteredProject.slice(slash + 1);
    const { namespace_id: id, ...others } = checkAttributes(
      change.forUser === null ? 'create' : 'createFor',
      { path, ...change.attributes },
    );
    if (others['path'] !== path)
      throw invalid(`The attribute "path" is not the last part of "${enteredProject}".`);
    const parent = slash < 0 ? null : enteredProject.slice(0, slash);
    const namespaceRef = change.namespace ?? parent ?? (typeof id === 'number' ? String(id) : null);
    if (namespaceRef === null && change.forUser !== null) {
      throw invalid('The path of a project for another user must begin with the namespace of that user.');
    }
    const namespace = await resolveNamespace(connections, instance, namespaceRef, signal).catch(
      (thrown: unknown) => {
        throw AppError.from(thrown).withDetails({ inPath: true });
      },
    );
    if (typeof id === 'number' && namespaceRef !== String(id)) {
      const namespaceOfId = await connections.connect(instance).namespacePath(String(id), signal);
      if (namespaceOfId.toLowerCase() !== namespace.toLowerCase()) {
        throw invalid(
          `The attribute "namespace_id" means ${namespaceOfId}, but the path names ${namespace}. Leave one of them out.`,
        );
      }
    }
    if (parent !== null && namespaceRef !== parent && namespace.toLowerCase() !== parent.toLowerCase()) {
      throw invalid(`"${enteredProject}" is not in the namespace ${namespace}.`);
    }
    const { attributes, secret } = this.#splitSecret(others);
    return {
      project: `${namespace}/${path}`,
      input: { change: { ...change, namespace, attributes }, projectId: null, secret },
    };
  }

  async #draftChange(
    instance: Instance,
    enteredProject: string,
    change: Exclude<RequestedChange, ChangeOf<'create'>>,
    requireConfirmation: (project: string) => void,
    signal: AbortSignal,
  ): Promise<Draft> {
    const { markedProjects, connections } = this.deps;
    const mayBeMarked = change.kind === 'restore' || (change.kind === 'delete' && change.permanently);
    const { id, fullPath } = await (mayBeMarked
      ? markedProjects.findIncludingMarked(instance, enteredProject, signal)
      : connections.connect(instance).project(enteredProject, signal));
    if (change.kind === 'delete') requireConfirmation(fullPath);
    const completed = await this.#toStoredChange(instance, change, signal);
    return { project: fullPath, input: { ...completed, projectId: id } };
  }

  /** Returns the change in its stored form. */
  async #toStoredChange(
    instance: Instance,
    change: Exclude<RequestedChange, ChangeOf<'create'>>,
    signal: AbortSignal,
  ): Promise<{ change: Change; secret: string | null }> {
    switch (change.kind) {
      case 'edit': {
        const { attributes, secret } = this.#splitSecret(checkAttributes('edit', change.attributes));
        return { change: { ...change, attributes }, secret };
      }
      case 'fork': {
        const { connections } = this.deps;
        const namespace = await resolveNamespace(connections, instance, change.namespace, signal);
        return { change: { ...change, namespace }, secret: null };
      }
      case 'upload': {
        const found = await stat(change.file).catch(() => null);
        if (found?.isFile() !== true || found.size !== change.sizeBytes) {
          throw invalid(`${change.file} is no longer a file of ${change.sizeBytes} bytes.`);
        }
        return { change, secret: null };
      }
      default:
        return { change, secret: null };
    }
  }

  /** Keeps the user name and password of `import_url` in memory only. */
  #splitSecret(attributes: Record<string, unknown>): SplitAttributes {
    const address = attributes['import_url'];
    const url = typeof address === 'string' ? URL.parse(address) : null;
    if (url === null || (url.username === '' && url.password === '')) return { attributes, secret: null };
    const secret = this.deps.secretAddresses.store(url.href);
    url.username = url.password = '';
    return { attributes: { ...attributes, import_url: url.href }, secret };
  }
}
