import { datetimeOf } from '../datetime.ts'
import { jsonFields, textOf } from '../fields.ts'
import type { Entry } from '../source.ts'
import type { Staging } from '../staging/staging.ts'
import { type Forum, spaceOfCategory } from './forum.ts'

const PAGE = 1000
const SHAPE = { columns: { tid: 'integer', position: 'integer', tag: 'text' }, indexes: ['tid, position', 'tag, tid'] } as const
const TAGGED = `select t.tid, h.data, (select json_group_array(member) from (select member from members m
    where m._key = 'topic:' || t.tid || ':tags' order by member)) as older
  from topic t join hash h on h._key = 'topic:' || t.tid where t.reason is null and t.tid > ? order by t.tid limit ${PAGE}`

const tagsOf = (data: string, older: string): string[] => {
  const tags = textOf(jsonFields(data)?.['tags']).split(',')
  const found = tags[0] === '' ? (JSON.parse(older) as string[]) : tags
  return [...new Set(found.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
}

/** Copies the tags of topics to the table `tag`: from their data, or in older versions from a separate set. */
export const collectTags = (staging: Staging): void => {
  const loader = staging.loader('tags', SHAPE, Object.keys(SHAPE.columns))
  for (let last = -1; ; ) {
    const page = [...staging.rows<{ tid: number; data: string; older: string }>(TAGGED, last)]
    for (const { tid, data, older } of page) {
      for (const [position, tag] of tagsOf(data, older).entries()) loader.add([tid, position, tag], `topic ${tid}`)
      last = tid
    }
    if (page.length < PAGE) break
  }
  staging.finish()
  staging.define('tag', 'tags', SHAPE)
}

const TAGS = `select g.tag, min(p.time) as since, group_concat(distinct t.cid) as cids
  from tag g join topic t on t.tid = g.tid join post p on p.pid = t.main group by g.tag order by g.tag`

export const countTopics = ({ staging }: Forum): number => staging.get<{ n: number }>('select count(distinct tag) as n from tag')?.n ?? 0

/** A tag that only topics of hidden categories use is limited to their spaces, because its name could reveal their subject. */
export function* readTopics(forum: Forum): Generator<Entry<'topics'>> {
  const open = new Set(forum.spaces.filter(({ privacy, disabled }) => privacy === 'public' && !disabled).map(({ cid }) => cid))
  let position = 0
  for (const { tag, since, cids } of forum.staging.rows<{ tag: string; since: number | null; cids: string }>(TAGS)) {
    const used = cids.split(',').map(Number)
    yield {
      id: tag,
      urls: [...new Set([`${forum.base}/tags/${tag}`, `${forum.base}/tags/${encodeURIComponent(tag)}`])],
      title: tag,
      slug: tag,
      spaces: used.some((cid) => open.has(cid)) ? null : used.sort((a, b) => a - b).map(spaceOfCategory),
      position: ++position,
      created_at: datetimeOf(since) ?? forum.earliest,
    }
  }
}
