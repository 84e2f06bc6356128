/** @file Suggests the path of a new project by its name, similar to GitLab if no path is given. */

/** Empty if no character of the name is allowed in a path. */
export const pathOfName = (name: string): string =>
  /^[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*$/.test(name)
    ? name
    : name
        .normalize('NFKD')
        .replaceAll(/\p{M}/gu, '')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '');
