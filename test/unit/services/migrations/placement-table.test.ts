import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MigratingProject, Placement } from '../../../../src-contract/migrations/migration.ts';
import { conflictsOf } from '../../../../src-main/jobs/migrations/placing.ts';
import {
  placementTable,
  readPlacementTable,
} from '../../../../src-main/services/migrations/placement/placement-table.ts';
import { exampleMigrationProject } from '../../../support/migrations/example-migrating.ts';

const project = (id: number, changes: Partial<MigratingProject> = {}): MigratingProject =>
  exampleMigrationProject({
    sourceId: id,
    sourcePath: `old/project-${id}`,
    placement: { namespace: 'new', path: `project-${id}`, name: null, overwrite: false, overrideParams: {} },
    ...changes,
  });
const three = [project(1), project(2), project(3)];

// Text that users type, characters that make spreadsheets run it, and separators of cells, pairs and lines.
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', "'", '"', '\\', ';', ',', '\t', '\r', '\n', ' ', 'a', '＝'),
  }),
);
const key = text.filter((name) => name !== '' && name !== '__proto__');
const placements: fc.Arbitrary<Placement> = fc.record({
  namespace: text.map((path) => path.trim()).filter((path) => path !== '' && path.length <= 255),
  path: text.filter((path) => path.trim() !== ''),
  name: fc.oneof(
    fc.constant(null),
    text.filter((name) => name !== ''),
  ),
  overwrite: fc.boolean(),
  overrideParams: fc.dictionary(key, text, { noNullPrototype: true }),
});
const projects = fc
  .array(fc.record({ placement: placements, wave: fc.integer({ min: 1, max: 99 }), out: fc.boolean() }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((drafts) =>
    drafts.map(({ placement, wave, out }, at) =>
      project(at + 1, { placement, wave, state: out ? 'left-out' : 'planned' }),
    ),
  );

describe('the table of a migration', () => {
  it('changes nothing if it is read back as it was written', () => {
    fc.assert(
      fc.property(projects, (all) => {
        expect(readPlacementTable(placementTable(all), all)).toEqual([]);
      }),
    );
  });

  it('applies any placement to projects that have another one', () => {
    fc.assert(
      fc.property(projects, (all) => {
        const before = all.map(({ sourceId }) =>
          project(sourceId, { wave: 100, placement: { ...project(sourceId).placement, path: 'elsewhere' } }),
        );
        expect(readPlacementTable(placementTable(all), before)).toEqual(
          all.map(({ sourceId, placement, wave, state }) => ({
            project: String(sourceId),
            placement,
            wave,
            leftOut: state === 'left-out',
          })),
        );
      }),
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', "'=1"])(
    'writes %j so that no spreadsheet runs it',
    (name) => {
      const named = project(1, { placement: { ...project(1).placement, name } });
      expect(placementTable([named])).toContain(`'${name}`);
      expect(readPlacementTable(placementTable([named]), [project(1)])[0]?.placement.name).toBe(name);
    },
  );

  it('is read with the separators and line ends of any spreadsheet, and with only some columns', () => {
    for (const [separator, end] of [
      [',', '\r\n'],
      [';', '\r\n'],
      ['\t', '\n'],
      [',', '\r'],
    ] as const) {
      const rows = [
        ['Source_Path', 'wave', 'overwrite'],
        ['OLD/project-2', '4', 'TRUE'],
      ];
      const csv = rows.map((cells) => cells.join(separator) + end).join('');
      expect(readPlacementTable(csv, three)).toEqual([
        {
          project: '2',
          placement: { ...project(2).placement, overwrite: true },
          wave: 4,
          leftOut: false,
        },
      ]);
    }
  });

  it('is refused with the names of unknown or repeated columns, or if it is empty', () => {
    expect(() => readPlacementTable('source_id,wav,colour\n1,2,red\n', three)).toThrow(
      /"wav", "colour".*Known columns are/,
    );
    expect(() => readPlacementTable('source_id,wave,wave\n1,2,2\n', three)).toThrow(
      /the column "wave" twice/,
    );
    expect(() => readPlacementTable('', three)).toThrow(/empty/);
  });

  it.each([
    ['wave', 'zero', /Line 2: wave is "zero"/],
    ['left_out', 'perhaps', /Line 2: left_out is "perhaps"/],
    ['target_path', ' ', /Line 2: target_path is empty/],
    ['target_namespace', 'x'.repeat(256), /Line 2: target_namespace/],
    ['override_params', 'visibility', /Line 2: override_params has "visibility"/],
    ['override_params', 'a=1; a=2', /Line 2: override_params has "a" twice/],
    ['source_path', 'old/project-2', /Line 2: source_id 1 is old\/project-1, not old\/project-2/],
  ])('is refused with the line on which %s is %j, and with what is wrong', (column, cell, message) => {
    expect(() => readPlacementTable(`source_id,${column}\n1,${cell}\n`, three)).toThrow(message);
  });

  it('is refused with every wrong row, named by the line on which it begins', () => {
    const csv =
      'source_id,target_name,wave\r\n1,"two\r\nlines",2\r\n\r\n9,,2\r\n2,,0\r\n2,,1\r\n,,1\r\n3,\r\n';
    expect(() => readPlacementTable(csv, three)).toThrow(/Line 9 has 2 cells, but there are 3 columns/);
    expect(() => readPlacementTable(csv.replace('3,\r\n', ''), three)).toThrow(
      /^Line 5: .* no project 9\. Line 6: wave .* Line 7: old\/project-2 is already on line 6\. Line 8: The row names no project/,
    );
    expect(() => readPlacementTable('source_id\n"1', three)).toThrow(/cannot be read.*line 2/);
  });

  it('is refused with 20 wrong rows and the number of the other wrong ones', () => {
    const csv = `source_id\n${'7\n'.repeat(25)}`;
    expect(() => readPlacementTable(csv, three)).toThrow(/Line 21: .*5 more rows are wrong\.$/);
    const rows: unknown = expect.stringMatching(/^(?:Line .*\n){20}5 more rows are wrong\.$/);
    expect(() => readPlacementTable(csv, three)).toThrow(expect.objectContaining({ details: { rows } }));
  });

  it('leaves imported projects unchanged, and is refused if it places them elsewhere', () => {
    const arrived = [project(1, { state: 'arrived' }), project(2, { state: 'importing', importJob: 'j' })];
    expect(readPlacementTable(placementTable(arrived), arrived)).toEqual([]);
    const elsewhere = placementTable(arrived).replaceAll(',new,', ',newer,');
    expect(() => readPlacementTable(elsewhere, arrived)).toThrow(
      /Line 2: old\/project-1 was imported.* Line 3: old\/project-2 is being imported/,
    );
  });
});

it('a table with a path that GitLab does not accept, or that two projects have, is refused as a whole, with the lines', () => {
  const csv = placementTable([
    project(1, { placement: { ...project(1).placement, path: 'almanac ü/../' } }),
    project(2, { placement: { ...project(2).placement, path: 'project-3' } }),
    project(3),
  ]);
  expect(() => readPlacementTable(csv, three, conflictsOf)).toThrow(
    /Line 2: .*almanac.*Line 3: .*same path/s,
  );
});
