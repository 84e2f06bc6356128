/** @file Every field of a real archive is compared, or the table of fields says why not. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../src-contract/errors.ts';
import { inspectFile } from '../../../src-main/archive/inspect.ts';
import { projectSettings } from '../../../src-main/archive/records/project-attributes.ts';
import { openRecordIndex } from '../../../src-main/archive/records/record-index.ts';
import { archiveCoverage } from '../../../src-main/jobs/migrations/comparing/coverage/archive-coverage.ts';
import {
  addRecord,
  noUncomparedContents,
} from '../../../src-main/jobs/migrations/comparing/coverage/uncompared-contents.ts';
import { isFields } from '../../../src-main/jobs/migrations/comparing/contents/field-readers.ts';
import { realArchives, withoutRealArchives } from '../../support/archives/real-archives.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe.skipIf(withoutRealArchives)('a real archive', () => {
  const archives = withoutRealArchives
    ? []
    : readdirSync(realArchives).filter((name) => name.endsWith('.tar.gz'));

  it.each(archives)('%s contains only relations and fields that the table names', async (name) => {
    const folder = temporaryFolder();
    const inspection = await inspectFile(join(realArchives, name), { indexFolder: folder }).catch(
      (thrown: unknown) => {
        // Archives with links are refused as a whole.
        if (AppError.from(thrown).code === 'archive-corrupt') return null;
        throw thrown;
      },
    );
    const index = inspection === null ? null : await openRecordIndex(folder, inspection.sha256);
    if (inspection === null || index === null) return;
    onTestFinished(() => index.close());
    const contents = noUncomparedContents();
    let records = 0;
    for (const relation of Object.keys(inspection.relations))
      for await (const { line } of index.keys(relation)) {
        const value = (await index.record(relation, line))?.value;
        if (isFields(value)) addRecord(contents, relation, value);
        records += 1;
      }
    for (const [relation, columns] of Object.entries(await projectSettings(index))) {
      if (columns !== null) {
        addRecord(contents, relation, columns);
        records += 1;
      }
    }
    expect(records).toBeGreaterThan(0);
    expect([...contents.unknownFields]).toEqual([]);
    expect(Object.keys(inspection.relations).filter((relation) => !(relation in archiveCoverage))).toEqual(
      [],
    );
  });
});
