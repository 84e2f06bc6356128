/** @file Suggests the path of a new project from its name, much as GitLab does if no path is given. */

/** Returns an empty string if the name contains no character that a path allows. */
export const slugifyName = (name: string): string =>
  /^[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*$/.test(name)
    ? name
    : name
        .normalize('NFKD')
        .replaceAll(/\p{M}/gu, '')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '');
