import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../server/test-support/services/database.ts'
import { findPostgres } from '../../../../server/test-support/services/programs.ts'
import type { Wanted } from '../shape.ts'
import { openStaging, type Staging } from '../staging.ts'
import { stagePostgresDump } from './read-dump.ts'
import { stagePostgresServer } from './read-live.ts'

const COLUMNS = { id: 'integer', text: 'text', at: 'text', data: 'text', list: 'text', flag: 'text', 'odd "name"': 'text' } as const
const WANTED: Wanted = (table) => (table === 'rows of "it"' ? { columns: COLUMNS } : null)
const SCHEMA = `
  create table "rows of ""it""" (id bigint, text text, at timestamptz, data jsonb, list text[], flag boolean, "odd ""name""" varchar(10));
  create table other (id int);
  insert into other values (1);
  insert into "rows of ""it""" values
    (1, E'two\\nlines\\t\\\\ and ''quotes'';', '2024-05-01 12:00:00.25+02', '{"a": ["\\u00e4", 1]}', array['a b', null, '"'], true, 'x'),
    (2, '', null, null, '{}', false, null), (3, '\\N', 'infinity', '"text"', null, null, '--');
  insert into "rows of ""it""" (id, text) select n, repeat('Straße 🙂 ', 20) from generate_series(4, 1500) n`

const staged = async (load: (staging: Staging) => Promise<void>) => {
  const staging = openStaging()
  try {
    await load(staging)
    staging.finish()
    staging.define('rows', staging.tables()[0] ?? null, { columns: COLUMNS })
    return {
      tables: staging.tables(),
      rows: [...staging.rows('select * from rows order by id')],
      problems: [...staging.problems('rows of "it"')],
    }
  } finally {
    staging.close()
  }
}

test('a server that does not answer is not a source', async () => {
  await expect(staged((staging) => stagePostgresServer(staging, 'postgres://nobody@127.0.0.1:1/none', WANTED))).rejects.toThrow(
    /^The database cannot be read: /,
  )
})

describe.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'postgres')('on a server', () => {
  let url: string
  beforeAll(async () => {
    url = await createDatabase(inject('postgresUrl') ?? '')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(SCHEMA)
    await client.end()
  })
  afterAll(() => dropDatabase(url))

  test('all rows of the wanted tables are copied, as text', async () => {
    const { tables, rows, problems } = await staged((staging) => stagePostgresServer(staging, url, WANTED))
    expect([tables, rows.length, problems]).toEqual([['rows of "it"'], 1500, []])
    expect(rows.slice(0, 3)).toEqual([
      {
        id: 1,
        text: "two\nlines\t\\ and 'quotes';",
        at: '2024-05-01 10:00:00.25+00',
        data: '{"a": ["ä", 1]}',
        list: '{"a b",NULL,"\\""}',
        flag: 't',
        'odd "name"': 'x',
      },
      { id: 2, text: '', at: null, data: null, list: '{}', flag: 'f', 'odd "name"': null },
      { id: 3, text: '\\N', at: 'infinity', data: '"text"', list: null, flag: null, 'odd "name"': '--' },
    ])
  })

  const pgDump = join(findPostgres() ?? '', 'pg_dump')
  test.runIf(findPostgres()).each([
    ['COPY', []],
    ['INSERT', ['--inserts']],
    ['INSERT with columns and many rows', ['--column-inserts', '--rows-per-insert=100']],
    ['COPY in Latin-9', ['--encoding=LATIN9', '--exclude-table-data=none']],
  ] as const)('a dump with %s has the same rows', async (name, options) => {
    if (name.endsWith('Latin-9')) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`update "rows of ""it""" set text = replace(text, '🙂', '€')`)
      await client.end()
    }
    const dump = execFileSync(pgDump, [...options, url], { env: { ...process.env, PGTZ: 'UTC' }, maxBuffer: 1 << 26 })
    const live = await staged((staging) => stagePostgresServer(staging, url, WANTED))
    const chunks = async function* () {
      for (let at = 0; at < dump.length; at += 10_000) yield dump.subarray(at, at + 10_000)
    }
    expect(await staged((staging) => stagePostgresDump(staging, chunks(), WANTED))).toEqual(live)
  })
})
