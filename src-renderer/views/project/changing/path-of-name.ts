/** @file The path that is proposed for a new project by its name, much as GitLab makes it where none is given. */

/** Empty where no letter or digit of it can stand in a path. */
export const pathOfName = (name: string): string =>
  /^[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*$/.test(name)
    ? name
    : name
        .normalize('NFKD')
        .replaceAll(/\p{M}/gu, '')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '');
