import { expect, test } from 'vitest';
import { projectsFromMap } from '../../../../../src-main/hosts/cli/projects/project-map.ts';

const files = ['/exports/a.tar.gz', '/exports/b, "c".tar.gz', '/other/a.tar.gz', '/other/line\nend.tar.gz'];
const projectsOf = (text: string, wanted = files): string[] => projectsFromMap(text, '/exports', wanted);

test.each([
  ['file,project\na.tar.gz,g/a\n', ['/exports/a.tar.gz'], ['g/a']],
  ['\uFEFFProject,File\r\ng/a,/exports/a.tar.gz', ['/exports/a.tar.gz'], ['g/a']],
  ['file,project\n\n"b, ""c"".tar.gz",g/b\n\n', [files[1]], ['g/b']],
  ['file,project\n"line\nend.tar.gz","g/l"\n', [files[3]], ['g/l']],
  ['file,project\n../other/a.tar.gz,g/2\na.tar.gz,g/1\n', [files[0], files[2]], ['g/1', 'g/2']],
] as const)('the map %j gives each file its project', (text, wanted, projects) => {
  expect(projectsOf(text, [...wanted] as string[])).toEqual(projects);
});

test.each([
  ['', 'Line 1: the first line must be "file,project"'],
  ['a.tar.gz,g/a\n', 'Line 1: the first line must be "file,project"'],
  ['file,project,more\na.tar.gz,g/a,x\n', 'Line 1: the first line'],
  ['file,project\na.tar.gz,\n', 'Line 2: it names no project'],
  ['file,project\na.tar.gz,g/a,x\n', 'Line 2: it must have two fields'],
  ['file,project\n,g/a\n', 'Line 2: it names no file'],
  [
    'file,project\n"line\nend.tar.gz",g/l\nx.tar.gz,g/x\n',
    'Line 4: "x.tar.gz" matches none or several of the files',
  ],
  ['file,project\n/exports/a.tar.gz,g/a\na.tar.gz,g/b\n', 'Line 3: "a.tar.gz" has a line already'],
  ['file,project\n"a.tar.gz,g/a\n', 'Line 2: a quote or the end of the line is out of place'],
  ['file,project\na.tar.gz,g/a\n', 'The map has no line for /exports/b, "c".tar.gz.'],
])('the map %j is rejected, and the error gives the reason with its line', (text, message) => {
  expect(() => projectsOf(text)).toThrow(
    expect.objectContaining({ code: 'invalid-input', message: expect.stringContaining(message) as string }),
  );
});

test('a file name that two of the files share is rejected', () => {
  const two = ['/one/x.tar.gz', '/two/x.tar.gz'];
  expect(() => projectsOf('file,project\nx.tar.gz,g/x\n', two)).toThrow('Line 2: "x.tar.gz" matches none');
});
