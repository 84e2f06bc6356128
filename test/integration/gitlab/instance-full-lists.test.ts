/** @file A list that is read in full is checked against its own headers and ids, and read at most twice. */
import { expect, test } from 'vitest';
import { z } from '../../../src-contract/schema.ts';
import { readFullList } from '../../../src-main/gitlab/http/full-list.ts';
import { testClient } from '../../support/servers/instance-client.ts';
import { scriptedServer, type Script } from '../../support/servers/scripted-server.ts';

const record = z.object({ id: z.number().nullish(), name: z.string().nullish() });
type Row = z.infer<typeof record>;
const rows = (first: number, last: number): Row[] =>
  Array.from({ length: last - first + 1 }, (_, index) => ({ id: first + index }));

/** One response: its rows, `X-Total` and `X-Next-Page`. A value that is undefined is not sent. */
interface Response {
  rows: Row[];
  total?: number;
  next?: number | '';
}

/** Sends one response after the other, and records which pages were requested. */
async function read(...responses: Response[]) {
  const requestedPages: (string | null)[] = [];
  const script: Script = ({ query }, reply) => {
    const { rows: sent, total, next } = responses[requestedPages.length] ?? { rows: [] };
    requestedPages.push(query.get('page'));
    reply.json(200, sent, {
      ...(total !== undefined && { 'x-total': `${total}` }),
      ...(next !== undefined && { 'x-next-page': `${next}` }),
    });
  };
  const server = await scriptedServer(script);
  const list = await readFullList(testClient(server.url), 'things', { record, toRecord: (row) => row });
  return { list, requestedPages };
}

const consistent: [string, Response[], number][] = [
  ['is empty', [{ rows: [], total: 0, next: '' }], 0],
  [
    'has as many records as it announces',
    [
      { rows: rows(1, 100), total: 150, next: 2 },
      { rows: rows(101, 150), total: 150, next: '' },
    ],
    150,
  ],
  [
    'grows by a record at its end while it is read',
    [
      { rows: rows(1, 100), total: 150, next: 2 },
      { rows: rows(101, 151), total: 151, next: '' },
    ],
    151,
  ],
  [
    'has no totals, because it is long',
    [
      { rows: rows(1, 100), next: 2 },
      { rows: rows(101, 130), next: '' },
    ],
    130,
  ],
  ['has one full page and no headers', [{ rows: rows(1, 100) }, { rows: [] }], 100],
  [
    'announces a second page that has no records, like the branches of older releases',
    [
      { rows: rows(1, 3), total: 3, next: 2 },
      { rows: [], total: 3, next: '' },
    ],
    3,
  ],
  ['has equal records without ids', [{ rows: [{}, {}], total: 2, next: '' }], 2],
];
test.each(consistent)('a list that %s is read once', async (_, responses, count) => {
  const { list, requestedPages } = await read(...responses);
  expect(list).toEqual({ records: responses.flatMap((response) => response.rows), contradiction: null });
  expect(list.records).toHaveLength(count);
  expect(requestedPages).toHaveLength(responses.length);
});

const contradictory: [string, Response[], { announced: number | null; listed: number }][] = [
  [
    'has fewer records than it announces',
    [
      { rows: rows(1, 100), total: 150, next: 2 },
      { rows: rows(101, 149), total: 150, next: '' },
    ],
    { announced: 150, listed: 149 },
  ],
  [
    'has more records than it announces',
    [{ rows: rows(1, 3), total: 2, next: '' }],
    { announced: 2, listed: 3 },
  ],
  ['is empty but announces records', [{ rows: [], total: 3, next: '' }], { announced: 3, listed: 0 }],
  [
    'repeats records of the page before',
    [
      { rows: rows(1, 100), total: 150, next: 2 },
      { rows: rows(1, 50), total: 150, next: '' },
    ],
    { announced: 150, listed: 100 },
  ],
  [
    'repeats a record instead of another, and its total agrees',
    [
      { rows: rows(1, 100), total: 150, next: 2 },
      { rows: rows(100, 149), total: 150, next: '' },
    ],
    { announced: 150, listed: 149 },
  ],
  [
    'repeats a record without an id under its name',
    [{ rows: [{ name: 'v1' }, { name: 'v1' }], next: '' }],
    { announced: 2, listed: 1 },
  ],
  [
    'announces a page that has no records, without a total',
    [
      { rows: rows(1, 100), next: 2 },
      { rows: [], next: '' },
    ],
    { announced: null, listed: 100 },
  ],
  [
    'leads back to its first page, without a total',
    [{ rows: rows(1, 100), next: 1 }],
    { announced: null, listed: 100 },
  ],
  [
    'lost a record while it was read, which moves the next records to the page before',
    [
      { rows: rows(1, 100), total: 150, next: 2 },
      { rows: rows(102, 150), total: 149, next: '' },
    ],
    { announced: 150, listed: 149 },
  ],
  [
    'repeats its page without an end',
    [
      { rows: rows(1, 100), next: 2 },
      { rows: rows(1, 100), next: 3 },
    ],
    { announced: 200, listed: 100 },
  ],
];
const allNumbers = (responses: Response[]): string[] => responses.map((_, index) => `${index + 1}`);

test.each(contradictory)('a list that %s is read again and then used', async (_, responses) => {
  const { list, requestedPages } = await read(...responses, { rows: rows(1, 7), total: 7, next: '' });
  expect(list).toEqual({ records: rows(1, 7), contradiction: null });
  expect(requestedPages).toEqual([...allNumbers(responses), '1']);
});

test.each(contradictory)(
  'a list that %s, again in the second reading, has no records but both numbers',
  async (_, responses, contradiction) => {
    const { list, requestedPages } = await read(...responses, ...responses);
    expect(list).toEqual({ records: null, contradiction });
    expect(requestedPages).toEqual([...allNumbers(responses), ...allNumbers(responses)]);
  },
);
