/** @file The avatar of a project, which an archive has as `avatar/<file>`. */
import type { FileBytes, ProjectContent } from '../content/project-content.ts';

export interface Avatar {
  name: string;
  bytes: FileBytes;
}

const folder = 'avatar/';

/** Returns the avatar in the content of an archive; null without one. */
export function avatarIn({ otherFiles }: ProjectContent): Avatar | null {
  const [name, bytes] = [...otherFiles].find(([member]) => member.startsWith(folder)) ?? [];
  return name === undefined || bytes === undefined ? null : { name: name.slice(folder.length), bytes };
}

/** Returns the content with this avatar instead of any other. */
export function withAvatar(content: ProjectContent, avatar: Avatar | null): ProjectContent {
  const others = [...content.otherFiles].filter(([member]) => !member.startsWith(folder));
  const own = avatar === null ? [] : [[`${folder}${avatar.name}`, avatar.bytes] as const];
  return { ...content, otherFiles: new Map([...others, ...own]) };
}
