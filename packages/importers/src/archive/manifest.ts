import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { ARCHIVE_FORMAT, ARCHIVE_KINDS, type ArchiveKind, ArchiveManifest } from '@lyceum/contract/archive'
import { Compile } from 'typebox/compile'
import { UnreadableSource } from '../source.ts'
import { parseJson } from './parse-json.ts'

export const MANIFEST = 'manifest.json'
/** Thousands of times the size of a typical manifest. */
const MOST_MANIFEST_BYTES = 64 * 1024 * 1024
const FAMILY = /^lyceum-archive\/(\d{1,9})$/
const RECORDS = /^([a-z][a-z_]{0,49})\.jsonl$/
const LINE_BREAK = 10

/** Opens a regular file without following links. @throws UnreadableSource */
const openPlain = async (folder: string, path: string) => {
  const refuse = (reason: string): never => {
    throw new UnreadableSource(`${path} ${reason}`)
  }
  const place = join(folder, path)
  const stats = await lstat(place).catch(() => null)
  if (!stats) return refuse('is missing')
  if (!stats.isFile()) return refuse('is not a regular file')
  // Windows has no O_NOFOLLOW.
  return open(place, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
}

const readManifest = async (folder: string): Promise<unknown> => {
  const file = await openPlain(folder, MANIFEST)
  try {
    const { size } = await file.stat()
    if (size > MOST_MANIFEST_BYTES) throw new UnreadableSource(`${MANIFEST} is too large`)
    const parsed = parseJson(await file.readFile())
    if ('reason' in parsed) throw new UnreadableSource(`${MANIFEST} cannot be read: ${parsed.reason}`)
    return parsed.value
  } finally {
    await file.close()
  }
}

/** @throws UnreadableSource */
const checkFormat = (manifest: unknown): ArchiveManifest => {
  const format = (manifest as { format?: unknown } | null)?.format
  const version = typeof format === 'string' ? FAMILY.exec(format)?.[1] : undefined
  if (version === undefined) throw new UnreadableSource(`it is not an archive of a Lyceum community: ${MANIFEST} has an unknown format`)
  if (format !== ARCHIVE_FORMAT)
    throw new UnreadableSource(`its format is ${format}, but this version reads ${ARCHIVE_FORMAT}; update Lyceum`)
  const validator = Compile(ArchiveManifest)
  if (!validator.Check(manifest)) {
    const [error] = validator.Errors(manifest)
    throw new UnreadableSource(`${MANIFEST} is not valid: ${error?.instancePath ?? ''} ${error?.message ?? ''}`)
  }
  return manifest
}

/** Verifies a file against its manifest entry and returns its number of lines. @throws UnreadableSource */
const verifyFile = async (folder: string, { path, bytes, sha256 }: ArchiveManifest['files'][number]): Promise<number> => {
  const file = await openPlain(folder, path)
  const hash = createHash('sha256')
  let lines = 0
  let last = LINE_BREAK
  let size = 0
  for await (const chunk of file.createReadStream({ highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    size += chunk.length
    for (let at = chunk.indexOf(LINE_BREAK); at >= 0; at = chunk.indexOf(LINE_BREAK, at + 1)) lines++
    last = chunk.at(-1) ?? last
  }
  if (size !== bytes || hash.digest('hex') !== sha256)
    throw new UnreadableSource(`${path} does not match ${MANIFEST}: the archive is damaged or was modified`)
  return last === LINE_BREAK ? lines : lines + 1
}

export interface VerifiedManifest {
  readonly manifest: ArchiveManifest
  /** Number of records per kind. */
  readonly counts: Partial<Record<ArchiveKind, number>>
  /** Number of records of kinds that this version does not support. */
  readonly unknown: Readonly<Record<string, number>>
}

const isKind = (name: string): name is ArchiveKind => (ARCHIVE_KINDS as string[]).includes(name)

/** Reads the manifest of an archive and verifies all record files. @throws UnreadableSource */
export const verifyArchive = async (folder: string): Promise<VerifiedManifest> => {
  const manifest = checkFormat(await readManifest(folder))
  const counts: Partial<Record<ArchiveKind, number>> = {}
  const unknown: Record<string, number> = {}
  const seen = new Set<string>()
  for (const file of manifest.files) {
    const [, kind = ''] = RECORDS.exec(file.path) ?? []
    if (kind === '') throw new UnreadableSource(`${MANIFEST} names ${JSON.stringify(file.path)}, which is not a record file`)
    if (seen.has(kind)) throw new UnreadableSource(`${MANIFEST} names ${file.path} twice`)
    seen.add(kind)
    const lines = await verifyFile(folder, file)
    if (isKind(kind)) counts[kind] = lines
    else unknown[kind] = lines
  }
  for (const [kind, count] of Object.entries(manifest.counts))
    if (count !== 0 && !seen.has(kind)) throw new UnreadableSource(`${kind}.jsonl is missing`)
  return { manifest, counts, unknown }
}

/** The SHA-256 of a file in hexadecimal. */
export const sha256Of = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
