import type { ArchiveRecord } from '@lyceum/contract/archive'
import { datetimeOf } from '../datetime.ts'
import { jsonFields, textOf } from '../fields.ts'
import type { Entry } from '../source.ts'
import type { Forum } from './forum.ts'
import { ownGroups } from './groups.ts'
import { addressesOf, uploadOf } from './uploads.ts'

type Media = ArchiveRecord<'media'>

const inTexts = (origins: readonly string[]) => `select file, min(pid) as pid, uid, is_main, time from upload
  where origin is null or origin in (${origins.map((origin) => `'${origin.replaceAll("'", "''")}'`).join(', ') || "''"})
  group by file order by file`

const PICTURES = `select h._key, h.data from account a join hash h on h._key = 'user:' || a.uid order by a.uid`

interface InText {
  readonly file: string
  readonly uid: number
  readonly is_main: number
  readonly time: number | null
}

/** The upload that a field references; null for none and for external files. */
export const mediaOf = ({ origins }: Forum, address: unknown): string | null => uploadOf(textOf(address), origins)

/** The thumbnail of a topic. Its path may be relative to the uploads folder. */
export const thumbnailOf = (forum: Forum, value: string | null): string | null =>
  value === null ? null : /^\/?files\//.test(value) ? value.replace(/^\//, '') : mediaOf(forum, value)

const THUMBNAILS = `select z.value, p.uid, p.time from topic t join post p on p.pid = t.main
  join zset z on z._key = 'topic:' || t.tid || ':thumbs' where t.reason is null order by t.tid, z.score, z.value`

const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1)

/** Upload time, from the file name. */
const uploadedAt = (file: string): string | null => datetimeOf(Number(/(?:^|\/|-)(\d{13})(?=\D)/.exec(file)?.[1] ?? Number.NaN))

/** Yields the files that profiles, categories and texts reference, once each. */
export function* readMedia(forum: Forum): Generator<Entry<'media'>> {
  const { staging, base, earliest } = forum
  const seen = new Set<string>()
  function* media(file: string | null, used_for: Media['used_for'], owner: string | null, time: number | null): Generator<Media> {
    if (file === null || seen.has(file)) return
    seen.add(file)
    yield {
      id: file,
      urls: addressesOf(file, base),
      file,
      file_name: nameOf(file),
      ...(owner && { owner }),
      used_for,
      created_at: uploadedAt(file) ?? datetimeOf(time) ?? earliest,
    }
  }
  for (const { _key, data } of staging.rows<{ _key: string; data: string }>(PICTURES)) {
    const fields = jsonFields(data)
    for (const address of [fields?.['picture'], fields?.['cover:url']])
      yield* media(mediaOf(forum, address), 'profile', _key.slice('user:'.length), null)
  }
  for (const { background } of forum.spaces) yield* media(mediaOf(forum, background), 'space', null, null)
  for (const { fields } of ownGroups(forum)) yield* media(mediaOf(forum, fields?.['cover:url']), 'space', null, null)
  for (const { value, uid, time } of staging.rows<{ value: string; uid: number; time: number | null }>(THUMBNAILS))
    yield* media(thumbnailOf(forum, value), 'feed', String(uid), time)
  for (const { file, uid, is_main, time } of staging.rows<InText>(inTexts(forum.origins)))
    yield* media(file, is_main ? 'feed' : 'comment', String(uid), time)
}
