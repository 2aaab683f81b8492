import { isUtf8 } from 'node:buffer'
import { UnreadableSource } from '../../source.ts'

/** PostgreSQL encoding names and their labels in the Encoding Standard. */
const LABELS: Readonly<Record<string, string>> = {
  UTF8: 'utf-8',
  UNICODE: 'utf-8',
  SQL_ASCII: 'utf-8',
  LATIN1: 'windows-1252',
  WIN1252: 'windows-1252',
  LATIN2: 'iso-8859-2',
  LATIN9: 'iso-8859-15',
  WIN1250: 'windows-1250',
  WIN1251: 'windows-1251',
  KOI8R: 'koi8-r',
  EUC_JP: 'euc-jp',
  SJIS: 'shift_jis',
  EUC_KR: 'euc-kr',
  BIG5: 'big5',
  GBK: 'gbk',
}

/** Decodes a line; `valid` is false if invalid bytes were replaced. */
export type Decode = (bytes: Buffer) => { readonly text: string; readonly valid: boolean }

const fromUtf8: Decode = (bytes) => ({ text: bytes.toString('utf8'), valid: isUtf8(bytes) })

/** @throws UnreadableSource for an encoding that is not supported */
export const decoderFor = (encoding: string): Decode => {
  const label = LABELS[encoding.toUpperCase()]
  if (!label) throw new UnreadableSource(`The encoding ${encoding} of the dump is not supported. Create it with: pg_dump --encoding=UTF8`)
  if (label === 'utf-8') return fromUtf8
  const decoder = new TextDecoder(label)
  return (bytes) => {
    const text = decoder.decode(bytes)
    return { text, valid: !text.includes('\ufffd') }
  }
}
