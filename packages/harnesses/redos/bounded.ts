import type { Expression } from './measure.ts'

/** Expressions that would be slow for a long text but only receive short ones. */
export const BOUNDED: readonly {
  readonly source: string
  /** Maximum length of its input in characters. */
  readonly longest: number
  readonly why: string
}[] = [
  { source: '\\/+$', longest: 300, why: 'the address of the store, which the operator gives' },
  { source: '\\{([^}]+)\\}', longest: 200, why: 'paths of the contract' },
  { source: '(\\d+)$', longest: 100, why: 'what points were earned with, as the server names it' },
  { source: '[. ]+$', longest: 150, why: 'a name of a file that has been cut to 150 bytes' },
  { source: '-+$', longest: 400, why: 'a slug that has been cut' },
  { source: '([\\w-]*)="?([^\\s"]+)"?', longest: 300, why: 'what a date of Discourse is written with' },
  { source: '=+$', longest: 100, why: 'a hash in base64' },
  ...['[_-]+$', '[-_]?\\d+$', '\\{[^}]*(?:thing|gear|problem|doing|goal|did|tip)'].map((source) => ({
    source,
    longest: 400,
    why: 'texts of the demo data, which are part of the source',
  })),
]

const NUMBER = String.raw`[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[-+]?\d+)?`
const GIFT = 'packages/importers/src/gift/syntax.ts'

const MYSQL = 'packages/importers/src/staging/mysql/read-dump.ts'
const MYSQL_NAME = String.raw`(?:\`((?:[^\`]|\`\`)+)\`|"((?:[^"]|"")+)"|([\w$\u0080-\uffff]+))`
const MYSQL_TABLE = String.raw`(?:${MYSQL_NAME}[ \t\r\n]*\.[ \t\r\n]*)?${MYSQL_NAME}`
const POSTGRES_NAME = String.raw`(?:"(?:[^"]|"")*"|[^\s("]+?)`

/** Expressions that are built on demand, with their sources. */
export const BY_HAND: readonly Expression[] = [
  {
    source: '(?<![\\p{L}\\p{N}])(?:ana|ana@example\\.org)(?![\\p{L}\\p{N}])',
    flags: 'iu',
    where: 'packages/mail/src/file-transport.ts',
  },
  {
    source: 'https://community\\.example(?![\\w@-]|[.:][\\w-])',
    flags: 'gi',
    where: 'packages/transfer/src/export/addresses.ts',
  },
  { source: '<Key>([^<]*)</Key>', flags: '', where: 'packages/server/src/storage/s3.ts' },
  { source: `^(${NUMBER})(?:\\s*:\\s*(${NUMBER}))?$`, flags: 'i', where: GIFT },
  {
    source: String.raw`^create[ \t\r\n]+(?:temporary[ \t\r\n]+)?table[ \t\r\n]+(?:if[ \t\r\n]+not[ \t\r\n]+exists[ \t\r\n]+)?${MYSQL_TABLE}[ \t\r\n]*\(`,
    flags: 'i',
    where: MYSQL,
  },
  {
    source: String.raw`^drop[ \t\r\n]+table[ \t\r\n]+(?:if[ \t\r\n]+exists[ \t\r\n]+)?${MYSQL_TABLE}[ \t\r\n]*(?=;)`,
    flags: 'i',
    where: MYSQL,
  },
  {
    source: String.raw`^(?:insert|replace)[ \t\r\n]+(?:(?:low_priority|delayed|high_priority|ignore)[ \t\r\n]+)*(?:into[ \t\r\n]+)?${MYSQL_TABLE}[ \t\r\n]*(\([^()]*\)[ \t\r\n]*)?values?[ \t\r\n]*(?=\()`,
    flags: 'i',
    where: MYSQL,
  },
  { source: MYSQL_NAME, flags: 'g', where: MYSQL },
  {
    source: String.raw`^INSERT INTO (?:ONLY )?(${POSTGRES_NAME}(?:\.${POSTGRES_NAME})?)\s*(?:\(((?:[^()"]|"(?:[^"]|"")*")*)\)\s*)?(?:OVERRIDING (?:SYSTEM|USER) VALUE\s+)?VALUES\s*`,
    flags: '',
    where: 'packages/importers/src/staging/postgres/insert.ts',
  },
  { source: `^(${NUMBER})\\s*\\.\\.\\s*(${NUMBER})$`, flags: 'i', where: GIFT },
]
