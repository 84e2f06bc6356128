import { expect, test } from 'vitest';
import { isHttpUrl, projectAddress } from '../../../../src-main/services/projects/project-address.ts';

const plain = { name: 'plain', url: 'https://gitlab.example.com' };
const below = { name: 'below', url: 'https://gitlab.example.com/forge' };
const ported = { name: 'ported', url: 'http://127.0.0.1:4000' };
const instances = [plain, below, ported];
const parse = (typed: string) => {
  const found = projectAddress(typed, instances);
  return found === null ? null : [found.instance.name, found.project];
};

test.each([
  ['https://gitlab.example.com/group/project', ['plain', 'group/project']],
  ['https://gitlab.example.com/group/sub/project/', ['plain', 'group/sub/project']],
  ['  https://GITLAB.example.com/Group/Project  ', ['plain', 'Group/Project']],
  ['https://gitlab.example.com/group/project/-/issues/5', ['plain', 'group/project']],
  ['https://gitlab.example.com/group/project/-/', ['plain', 'group/project']],
  ['https://gitlab.example.com/group/project?tab=activity#note_5', ['plain', 'group/project']],
  ['https://gitlab.example.com/group/project.git', ['plain', 'group/project']],
  ['https://gitlab.example.com//group//project', ['plain', 'group/project']],
  ['https://gitlab.example.com/group/%C5%BC%C3%B3%C5%82w', ['plain', 'group/żółw']],
  ['https://gitlab.example.com/group/a-b/c-', ['plain', 'group/a-b/c-']],
  ['https://gitlab.example.com/forge/group/project', ['below', 'group/project']],
  ['https://gitlab.example.com/forgery/project', ['plain', 'forgery/project']],
  ['http://gitlab.example.com/group/project', ['plain', 'group/project']],
  ['http://127.0.0.1:4000/atlas/compass/-/import', ['ported', 'atlas/compass']],
  ['https://gitlab.example.com/group', null],
  ['https://gitlab.example.com/', null],
  ['https://gitlab.example.com/forge/group', null],
  ['https://gitlab.example.com/-/profile', null],
  ['https://gitlab.example.com/%zz/project', null],
  ['https://elsewhere.example.com/group/project', null],
  ['http://127.0.0.1:4001/atlas/compass', null],
  ['https://gitlab.example.com.evil.example/group/project', null],
  ['group/project', null],
  ['42', null],
])('the address %s is parsed as %j', (typed, expected) => {
  expect(parse(typed)).toEqual(expected);
});

test('an HTTP address is distinguished from a path and from an id', () => {
  expect(['https://x/y/z', ' HTTP://x', 'group/project', '42', 'https'].map(isHttpUrl)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
