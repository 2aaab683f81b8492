import { afterEach, describe, expect, test } from 'vitest'
import { UnreadableSource } from '../../source.ts'
import type { Wanted } from '../shape.ts'
import { openStaging, type Staging } from '../staging.ts'
import { stagePostgresDump } from './read-dump.ts'

const PEOPLE: Wanted = (table) => (table === 'people' ? { columns: { id: 'integer', name: 'text' } } : null)

let staging: Staging
afterEach(() => staging.close())

/** Splits the dump into small chunks, so that lines and statements continue in the next one. */
async function* chunksOf(dump: string | Buffer, size = 7) {
  const bytes = Buffer.from(dump as string)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const load = async (dump: string | Buffer, wanted = PEOPLE, longest?: number) => {
  staging = openStaging()
  await stagePostgresDump(staging, chunksOf(dump), wanted, longest)
  staging.finish()
  staging.define('people', staging.tables().includes('people') ? 'people' : null, { columns: { id: 'integer', name: 'text' } })
  return {
    rows: [...staging.rows<{ id: number; name: string | null }>('select id, name from people')].map(({ id, name }) => [id, name]),
    problems: [...staging.problems('people')].map(({ place, reason }) => `${place}: ${reason}`),
  }
}

const copy = (...lines: string[]) => `COPY public.people (id, name) FROM stdin;\n${lines.map((line) => `${line}\n`).join('')}\\.\n`

describe('COPY sections', () => {
  test('values are unescaped, and NULL differs from a text', async () => {
    const { rows, problems } = await load(copy('1\ta\\tb\\nc\\\\d', '2\t\\N', '3\t\\\\N', '4\t', '5\t\\101\\x42'))
    expect(rows).toEqual([
      [1, 'a\tb\nc\\d'],
      [2, null],
      [3, '\\N'],
      [4, ''],
      [5, 'AB'],
    ])
    expect(problems).toEqual([])
  })

  test('columns are read by name, and other tables are skipped', async () => {
    const dump = `COPY public.other (id, name) FROM stdin;\n9\tNobody\n\\.\n\nCOPY public."people" (name, "joined at", id) FROM stdin;\nAna\tnow\t1\n\\.\n`
    expect((await load(dump)).rows).toEqual([[1, 'Ana']])
  })

  test('lines that are broken are skipped with a reason', async () => {
    const { rows, problems } = await load(copy('1\tAna', '2', '3\tCleo\tmore', '4\tDora'))
    expect(rows).toEqual([
      [1, 'Ana'],
      [4, 'Dora'],
    ])
    expect(problems).toEqual(['line 3: it has 1 values for 2 columns', 'line 4: it has 3 values for 2 columns'])
  })

  test('a line beyond the limit is skipped with a reason', async () => {
    const { rows, problems } = await load(copy('1\tAna', `2\t${'x'.repeat(500)}`, '3\tCleo'), PEOPLE, 100)
    expect(rows).toEqual([
      [1, 'Ana'],
      [3, 'Cleo'],
    ])
    expect(problems).toEqual(['line 3: it is longer than 100 bytes'])
  })

  test('a dump that ends too early is refused', async () => {
    await expect(load('COPY public.people (id, name) FROM stdin;\n1\tAna\n2\tB')).rejects.toThrow(UnreadableSource)
    staging.close()
    await expect(load(`INSERT INTO people VALUES (1, 'An`)).rejects.toThrow(/is not complete/)
  })

  test('lines can end as on Windows', async () => {
    expect((await load(copy('1\tAna').replaceAll('\n', '\r\n'))).rows).toEqual([[1, 'Ana']])
  })
})

describe('encodings', () => {
  test('a dump says which encoding it has', async () => {
    const dump = Buffer.concat([Buffer.from(`SET client_encoding = 'LATIN1';\n`), Buffer.from(copy('1\tZoë'), 'latin1')])
    expect((await load(dump)).rows).toEqual([[1, 'Zoë']])
  })

  test('bytes that are no text are replaced and reported', async () => {
    const { rows, problems } = await load(Buffer.from(copy('1\tZo\xeb'), 'latin1'))
    expect(rows).toEqual([[1, 'Zo\ufffd']])
    expect(problems).toEqual(['line 2: it has invalid bytes, which were replaced'])
  })

  test('an unknown encoding is refused', async () => {
    await expect(load(`SET client_encoding = 'MULE_INTERNAL';\n`)).rejects.toThrow(/MULE_INTERNAL/)
  })
})

describe('INSERT statements', () => {
  test('with several rows, several lines and all kinds of values', async () => {
    const dump = `CREATE TABLE public.people (\n    name text NOT NULL,\n    id bigint,\n    CONSTRAINT id_check CHECK ((id > 0))\n);\n
INSERT INTO public.people VALUES ('O''Neil; --', 1), (E'a\\'b\\n', 2),
  ('two
lines', 3);
INSERT INTO public.people (id, name) VALUES (4, NULL) ON CONFLICT DO NOTHING;
INSERT INTO public.people (id, name) OVERRIDING SYSTEM VALUE VALUES (5, true), (6, '{a}'::text[]);\n`
    expect(await load(dump)).toEqual({
      rows: [
        [1, "O'Neil; --"],
        [2, "a'b\n"],
        [3, 'two\nlines'],
        [4, null],
        [5, 't'],
        [6, '{a}'],
      ],
      problems: [],
    })
  })

  test('texts that look like statements are texts', async () => {
    const trap = `x\nCOPY public.people (id, name) FROM stdin;\n66\tMallory\n\\.\nINSERT INTO public.people VALUES (67, 'Mallory');\n`
    const dump = `INSERT INTO public.other VALUES (1, '${trap.replaceAll("'", "''")}');
CREATE FUNCTION public.f() RETURNS text AS $body$ it's /* ${trap} $$ $body$ LANGUAGE sql;
/* a comment /* in a comment */ isn't
${trap} */
COMMENT ON TABLE public.people IS '${trap.replaceAll("'", "''")}';
INSERT INTO public.people (id, name) VALUES (1, '${trap.replaceAll("'", "''")}');\n`
    expect(await load(dump)).toEqual({ rows: [[1, trap]], problems: [] })
  })

  test('an unknown form is skipped with a reason', async () => {
    const { rows, problems } = await load(
      `INSERT INTO people (id, name) SELECT 1, 'a';\nINSERT INTO people (id, name) VALUES (2, now());\n${copy('3\tCleo')}`,
    )
    expect(rows).toEqual([[3, 'Cleo']])
    expect(problems).toEqual([
      'line 1: it is an unsupported form of INSERT statement',
      'line 2: it is an unsupported form of INSERT statement',
    ])
  })

  test('a statement of many chunks', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => `(${at}, '${"it''s ".repeat(10)}')`).join(',\n')
    staging = openStaging()
    await stagePostgresDump(staging, chunksOf(`INSERT INTO people (id, name) VALUES ${rows};\n`, 65_536), PEOPLE)
    staging.finish()
    expect(staging.seen('people')).toBe(20_000)
  })
})
