import { Readable } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'
import { UnreadableSource } from '../source.ts'
import { readDumpFile } from '../staging/open-file.ts'

const LONGEST = 1024 * 1024
const DELIMITERS = [',', ';', '\t', '|']
/** Bytes to read for detecting encoding and delimiter. */
const SAMPLE = 64 * 1024

interface Encoding {
  readonly label: string
  readonly sample: string
}

/** Detects the encodings that spreadsheets write: UTF-8, UTF-16 with or without a BOM, and Windows-1252. */
const encodingOf = async (file: string): Promise<Encoding> => {
  const strict = new TextDecoder('utf-8', { fatal: true })
  let start = Buffer.alloc(0)
  let isUtf8 = true
  for await (const chunk of readDumpFile(file)) {
    if (start.length < SAMPLE) start = Buffer.concat([start, chunk.subarray(0, SAMPLE)])
    try {
      strict.decode(chunk, { stream: true })
    } catch {
      isUtf8 = false
      break
    }
  }
  const label = start[1] === 0 ? 'utf-16le' : start[0] === 0 && start.length > 1 ? 'utf-16be' : isUtf8 ? 'utf-8' : 'windows-1252'
  return { label, sample: new TextDecoder(label).decode(start).replace(/^\ufeff/, '') }
}

/** Excel's delimiter declaration before the headers. */
const NAMED_DELIMITER = /^"?sep=([,;|\t])"?[\r\n]/i

/** The declared delimiter, or else the most frequent one outside of quotes in the first line. */
const delimiterOf = (sample: string): string => {
  const named = NAMED_DELIMITER.exec(sample)?.[1]
  if (named) return named
  const line = (/^[^\r\n]*/.exec(sample.replace(/"(?:[^"]|"")*"/g, ''))?.[0] ?? '').slice(0, SAMPLE)
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string
}

async function* decoded(file: string, label: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(label)
  for await (const chunk of readDumpFile(file)) yield decoder.decode(chunk, { stream: true })
}

export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** Yields the rows of a file, headers first. Calls `skip` for unreadable rows. @throws UnreadableSource if the file is not CSV */
export async function* readCsv(file: string, skip: (line: number, reason: string) => void): AsyncGenerator<CsvRow> {
  const { label, sample } = await encodingOf(file)
  if (sample.includes('\0')) throw new UnreadableSource(`${file} is not a text file. Save the list as CSV.`)
  const parser = parse({
    delimiter: delimiterOf(sample),
    bom: true,
    from_line: NAMED_DELIMITER.test(sample) ? 2 : 1,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: LONGEST,
  })
  const source = Readable.from(decoded(file, label))
  source.once('error', (error) => parser.destroy(error))
  try {
    for await (const { info, record } of source.pipe(parser) as AsyncIterable<{ info: { lines: number }; record: string[] }>)
      yield { line: info.lines, cells: record }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !String(error.code).startsWith('CSV_')) throw error
    const { lines } = error as CsvError & { lines?: number }
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') skip(lines ?? 0, 'a quoted cell that starts here is not closed')
    else throw new UnreadableSource(`${file} cannot be read as CSV: ${error.message}`)
  } finally {
    source.destroy()
  }
}
