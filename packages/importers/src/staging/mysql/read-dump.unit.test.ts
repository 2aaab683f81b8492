import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { UnreadableSource } from '../../source.ts'
import type { TableShape } from '../shape.ts'
import { openStaging, type Staging } from '../staging.ts'
import { stageMysqlDump } from './read-dump.ts'

const NOTES: TableShape = { columns: { id: 'integer', text: 'text', size: 'integer' }, key: 'id' }

let folder: string
let staging: Staging
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dump-test-'))
  staging = openStaging(folder)
})
afterEach(() => {
  staging.close()
  rmSync(folder, { recursive: true })
})

const stage = async (dump: string | Buffer, shape = NOTES, table = /notes$/) => {
  const file = join(folder, 'dump.sql')
  writeFileSync(file, dump)
  await stageMysqlDump(staging, file, (name) => (table.test(name) ? shape : null))
  staging.finish()
  const name = staging.tables().find((each) => table.test(each)) ?? null
  staging.define('notes', name, shape)
  return { rows: [...staging.rows('select * from notes order by id')], problems: name ? [...staging.problems(name)] : [] }
}

const CREATE =
  "CREATE TABLE `x_notes` (\n  `id` int(11) NOT NULL,\n  `text` text COMMENT 'it\\'s, \"a\" (text)',\n  `size` int,\n  PRIMARY KEY (`id`)\n);\n"
const row = (id: number, text: string | null, size: number | null = null) => ({ id, text, size })

describe('what programs write', () => {
  test('mysqldump: comments, executable comments, other tables, several rows a statement', async () => {
    const dump = `/*M!999999\\- enable the sandbox mode */ 
-- MariaDB dump 10.19  Distrib 10.11.6-MariaDB
-- Host: it's local    Database: d
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS \`x_other\`;
CREATE TABLE \`x_other\` (\`a\` text);
INSERT INTO \`x_other\` VALUES ('a;b\\'c'),('d''e;');
${CREATE}/*!40000 ALTER TABLE \`x_notes\` DISABLE KEYS */;
INSERT INTO \`x_notes\` VALUES
(1,'one',10),
(2,NULL,-3);
/*!40000 ALTER TABLE \`x_notes\` ENABLE KEYS */;
-- Dump completed on 2026-01-01
`
    expect(await stage(dump)).toEqual({ rows: [row(1, 'one', 10), row(2, null, -3)], problems: [] })
  })

  test('phpMyAdmin and Adminer: column lists in another order, CRLF lines, no structure, one row a statement', async () => {
    const dump = [
      'SET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";',
      'INSERT INTO `d`.`x_notes` (`text`, `id`) VALUES',
      "('one', 1),",
      "('two',\t2);",
      'insert ignore into x_notes (id, text) values (3, "three");',
      "REPLACE INTO x_notes VALUES (4,'four',5) ON DUPLICATE KEY UPDATE text = 'a;b';",
      "INSERT INTO `x_notes` (`id`, `text`) VALUES(5,'five')",
    ].join('\r\n')
    expect(await stage(dump)).toEqual({
      rows: [row(1, 'one'), row(2, 'two'), row(3, 'three'), row(4, 'four', 5), row(5, 'five')],
      problems: [],
    })
  })

  test('escapes, numbers, hexadecimal and binary values, introducers, expressions', async () => {
    const dump = `${CREATE}INSERT INTO x_notes VALUES (1,'a\\'b''c\\\\\\nd\\te\\%\\_\\0\\Z',0x0A),(2,_utf8mb4'f',1.0e1),(3,0xC3A4,TRUE),(4,X'C3A4','7'),(5,_binary 'g',b'1'),(6,CONVERT('h),(' USING utf8),NULL),(7,"i'\\"j""k",FALSE);`
    const { rows, problems } = await stage(dump)
    expect(rows).toEqual([
      row(1, "a'b'c\\\nd\te\\%\\_\0\x1a", '\n' as never),
      row(2, 'f', 10),
      row(3, 'ä', 1),
      row(4, 'ä', 7),
      row(5, 'g', '\x01' as never),
      row(6, null),
      row(7, 'i\'"j"k', 0),
    ])
    expect(problems).toEqual([])
  })

  test('without structure and with fewer columns than the newest version, all rows alike', async () => {
    const { rows, problems } = await stage("INSERT INTO x_notes VALUES (1,'a'),(2,'b'),(3);\nINSERT INTO x_notes VALUES (4,'d');")
    expect(rows).toEqual([row(1, 'a'), row(2, 'b'), row(4, 'd')])
    expect(problems).toHaveLength(1)
  })

  test('triggers with a delimiter of their own, and warnings of the program', async () => {
    const dump = `mysqldump: [Warning] Using a password can't be secure.
${CREATE}DELIMITER ;;
/*!50003 CREATE*/ /*!50003 TRIGGER t AFTER INSERT ON x_notes FOR EACH ROW BEGIN
INSERT INTO x_notes VALUES (9,'from a trigger',1);
END */;;
DELIMITER ;
INSERT INTO x_notes VALUES (1,'one',1);`
    expect((await stage(dump)).rows).toEqual([row(1, 'one', 1)])
  })

  test('a second dump of a table in the file replaces the first', async () => {
    const again = `DROP TABLE IF EXISTS \`x_notes\`;\n${CREATE}`
    const { rows } = await stage(`${CREATE}INSERT INTO x_notes VALUES (1,'old',1);\n${again}INSERT INTO x_notes VALUES (1,'new',1);`)
    expect(rows).toEqual([row(1, 'new', 1)])
  })

  test('gzip, zip and UTF-16', async () => {
    const dump = `${CREATE}INSERT INTO x_notes VALUES (1,'ä€😀',1);`
    expect((await stage(gzipSync(dump))).rows).toEqual([row(1, 'ä€😀', 1)])
    staging.close()
    staging = openStaging(folder)
    expect((await stage(Buffer.from(`\ufeff${dump}`, 'utf16le'))).rows).toEqual([row(1, 'ä€😀', 1)])
  })

  test('texts that are not UTF-8 are read in the declared character set', async () => {
    const dump = (charset: string, byte: number) =>
      Buffer.concat([
        Buffer.from(`SET NAMES ${charset};\n${CREATE}INSERT INTO x_notes VALUES (1,'`),
        Buffer.from([byte]),
        Buffer.from("',1),(2,'ä',1);"),
      ])
    expect((await stage(dump('latin1', 0x80))).rows).toEqual([row(1, '€', 1), row(2, 'ä', 1)])
    staging.close()
    staging = openStaging(folder)
    expect((await stage(dump('cp1251', 0xc6))).rows).toEqual([row(1, 'Ж', 1), row(2, 'ä', 1)])
  })

  test('rows larger than what is read at once', async () => {
    const long = 'ä\\n'.repeat(700_000)
    const { rows } = await stage(`${CREATE}INSERT INTO x_notes VALUES (1,'${long}',1),(2,'b',2);`)
    expect(rows).toEqual([row(1, 'ä\n'.repeat(700_000), 1), row(2, 'b', 2)])
  })
})

describe('what is broken', () => {
  const problems = async (rows: string) => {
    const found = await stage(`${CREATE}INSERT INTO \`x_notes\` VALUES\n${rows};\n`)
    return { ids: found.rows.map((each) => (each as { id: number }).id), reasons: found.problems.map(({ reason }) => reason) }
  }

  test('a row with too few values is left out', async () => {
    expect(await problems("(1,'a',1),\n(2,'b'),\n(3,'c',3)")).toEqual({ ids: [1, 3], reasons: ['it has 2 values for 3 columns'] })
  })

  test('a row without its quote is left out, and reading goes on at the next line', async () => {
    const { ids, reasons } = await problems("(1,'a',1),\n(2,'b,2),\n(3,'c',3),\n(4,'d',4)")
    expect(ids).toEqual([1, 3, 4])
    expect(reasons).toHaveLength(1)
  })

  test('a line that is no row is left out', async () => {
    const { ids, reasons } = await problems("(1,'a',1),\nrubbish,\n(3,'c',3)")
    expect(ids).toEqual([1, 3])
    expect(reasons).toHaveLength(1)
  })

  test('a statement without its end does not swallow the next', async () => {
    const dump = `${CREATE}INSERT INTO x_notes VALUES (1,'a',1)\nINSERT INTO x_notes VALUES (2,'b',2);\nINSERT INTO x_notes VALUES (3,'c',3);`
    expect((await stage(dump)).rows).toEqual([row(1, 'a', 1), row(2, 'b', 2), row(3, 'c', 3)])
  })

  test('a second row with the same key, and a key that is no number', async () => {
    const { ids, reasons } = await problems("(1,'a',1),(1,'b',2),('x','c',3)")
    expect(ids).toEqual([1])
    expect(reasons).toEqual(['another row has the same primary key', 'its primary key is not a number'])
  })

  test.each([
    ['in a text', `${CREATE}INSERT INTO x_notes VALUES (1,'a',1),(2,'b`],
    ['between rows', `${CREATE}INSERT INTO x_notes VALUES (1,'a',1),`],
    ['in a table that is not read', `${CREATE}INSERT INTO other VALUES ('a`],
    ['between tables', `-- MySQL dump 10.13\n${CREATE}INSERT INTO x_notes VALUES (1,'a',1);\n`],
  ])('a dump that ends %s is refused', async (_, dump) => {
    await expect(stage(dump)).rejects.toThrow(/ends in the middle/)
  })

  test('a truncated and a damaged gzip file are refused', async () => {
    const packed = gzipSync(`${CREATE}INSERT INTO x_notes VALUES (1,'a',1);`)
    await expect(stage(packed.subarray(0, -12))).rejects.toThrow(UnreadableSource)
    packed[20] = (packed[20] as number) ^ 0xff
    packed[30] = (packed[30] as number) ^ 0xff
    await expect(stage(packed)).rejects.toThrow(UnreadableSource)
  })

  test('a bomb is refused before it has used much disk or time', async () => {
    const bomb = gzipSync(Buffer.alloc(66 * 1024 * 1024, 0x20), { level: 9 })
    await expect(stage(bomb)).rejects.toThrow(/times its size/)
  })

  test('a million parentheses, quotes and comments do not overflow the stack', async () => {
    const dump = `${CREATE}${'('.repeat(1e6)};\n/* ${'/*'.repeat(1e6)} */\nINSERT INTO x_notes VALUES (1,f${'('.repeat(1e6)}${')'.repeat(1e6)},1);`
    expect((await stage(dump)).rows).toEqual([row(1, null, 1)])
  })

  test('a binary file has no tables', async () => {
    await stage(Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256)))
    expect(staging.tables()).toEqual([])
  })

  test('a missing file is refused', async () => {
    await expect(stageMysqlDump(staging, join(folder, 'none.sql'), () => NOTES)).rejects.toThrow(/no such file/)
  })
})
