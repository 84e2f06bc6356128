/** @file Suggests the path of a new project from its name, much as GitLab does if no path is given. */

/** Returns an empty text if no character of the name is allowed in a path. */
export const pathOfName = (name: string): string =>
  /^[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*$/.test(name)
    ? name
    : name
        .normalize('NFKD')
        .replaceAll(/\p{M}/gu, '')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '');
