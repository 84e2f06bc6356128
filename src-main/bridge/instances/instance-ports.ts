/** @file What the handlers need of instances, their tokens and named storages. Types only; every failure is an `AppError`. */
import type { ProjectReadPort } from '../projects/project-ports.ts';
import type { ProjectCounts } from '../../../src-preload/contract/archive.ts';
import type { ImportStatus } from '../../../src-preload/contract/import.ts';
import type { Instance, TokenSource } from '../../../src-preload/contract/instance.ts';
import type { Project } from '../../../src-preload/contract/projects/project.ts';
import type { RelationTarget } from '../../../src-preload/contract/projects/relation-target.ts';
import type { RelationImport, Storage } from '../../../src-preload/contract/projects/transfer.ts';
import type { PersonalToken, TokenFilter } from '../../../src-preload/contract/token.ts';

/** One instance, ready to be asked. Every failure is an `AppError`. */
export interface RemotePort {
  server(signal: AbortSignal): Promise<{ version: string | null; clockSkewMs: number | null }>;
  user(signal: AbortSignal): Promise<{ id: number; username: string; administrator: boolean }>;
  /** Throws `account-changed` where the token is another account's than the one that the instance is known by. */
  assertAccount(signal: AbortSignal): Promise<void>;
  /** Null where the instance does not tell a token about itself. */
  token(signal: AbortSignal): Promise<{ scopes: string[]; expiresOn: string | null } | null>;
  project(idOrPath: number | string, signal: AbortSignal): Promise<Project>;
  /** Full path of a namespace given by path or id; throws `namespace-missing`. */
  namespace(idOrPath: string, signal: AbortSignal): Promise<string>;
  projects(filter: { membership: boolean }, signal: AbortSignal): AsyncIterable<Project>;
  /** How many `projects` will yield; null where the instance does not say. */
  projectCount(filter: { membership: boolean }, signal: AbortSignal): Promise<number | null>;
  importStatus(projectId: number, signal: AbortSignal): Promise<ImportStatus>;
  counts(projectId: number, signal: AbortSignal): Promise<ProjectCounts>;
  tokens: TokenReadPort;
  relationImports(projectId: number, signal: AbortSignal): Promise<RelationImport[]>;
  relationTarget(projectId: number, signal: AbortSignal): Promise<RelationTarget>;
  reads: ProjectReadPort;
}

/** The tokens of an instance as it tells of them, asked with the one in use. */
export interface TokenReadPort {
  page(
    filter: TokenFilter,
    place: { cursor: string | null; limit: number },
    signal: AbortSignal,
  ): Promise<{ records: PersonalToken[]; next: string | null }>;
  one(id: number, signal: AbortSignal): Promise<PersonalToken>;
  /** The one in use. */
  own(signal: AbortSignal): Promise<PersonalToken>;
}

/** Tokens beside the one in use. */
export interface SparesPort {
  /** What the instance tells of a token that somebody hands over. Throws `invalid-input` for what cannot be a token. */
  look(instance: Instance, token: string, signal: AbortSignal): Promise<PersonalToken>;
  /** What it tells of the spare; null where none is at hand, or it is not taken any more. */
  own(instance: Instance, signal: AbortSignal): Promise<PersonalToken | null>;
  /** In memory, or in the keychain, read back. */
  keep(name: string, token: string, where: 'session' | 'keychain'): Promise<void>;
  forget(name: string): Promise<void>;
}

export interface InstancesPort {
  list(): Promise<Instance[]>;
  /** Adds or replaces by name. */
  save(instance: Instance): Promise<void>;
  remove(name: string): Promise<void>;
  /** For a saved instance, or one that is about to be. */
  connect(instance: Instance): RemotePort;
}

export interface CredentialsPort {
  source(name: string): Promise<TokenSource>;
  /**
   * In memory, where it wins over every other source; of an instance that is not added it is forgotten after a while. The
   * returned function puts the one back that was remembered before.
   */
  remember(name: string, token: string): () => void;
  /**
   * A token is tried, or was given for one command: whether the instance takes it says nothing about the one that it is used with, until
   * the returned function is called.
   */
  borrow(name: string): () => void;
  isBorrowed(name: string): boolean;
  /** Resolves when it is known whether a token is there, and after a moment in any case. */
  looked(name: string): Promise<void>;
  /** Whether this process remembers one; what the other sources have does not count. */
  isRemembered(name: string): boolean;
  /** Forgets what `remember` kept; the other sources stay. */
  drop(name: string): void;
  /** Moves a token that is in memory into the keychain and reads it back; no other source is ever copied. */
  keep(name: string): Promise<void>;
  forget(name: string): Promise<void>;
  /**
   * Whether a token is at hand, as far as that is known without waiting; null while it is being looked for, and an
   * `instance.changed` then tells that it is known.
   */
  atHand(name: string): boolean | null;
  /** Whether the keychain of this machine answers; looked for until it does. */
  keychainWorks(): Promise<boolean>;
  /** Another name that shares the environment variable of this one, or null. */
  clash(name: string, others: string[]): string | null;
}

/** Secrets that jobs need once, kept in memory by key; gone with the process. */
export interface SecretsPort {
  /**
   * `parts` of it are secrets on their own. @returns the key, or the one that was given. Throws `jobs-elsewhere` where another
   * process would run the job that needs it.
   */
  keep(value: string, parts: readonly string[], key?: string): string;
  /** Throws `secret-lost`. */
  reveal(key: string): string;
}

/** Named places in object storage; what is secret of them is in the keychain. */
export interface StoragesPort {
  list(): Storage[];
  /**
   * Adds or replaces. A null secret keeps the stored one; throws `storage-missing` where there is none, and the keychain's errors.
   * `session`: the keychain is not asked, and the secret lasts as long as this process.
   */
  save(storage: Storage, secretAccessKey: string | null, keep: 'keychain' | 'session'): Promise<void>;
  /** With its secret. Throws `storage-missing`. */
  remove(name: string): Promise<void>;
}
