import { datetimeFromText } from '../datetime.ts'
import { htmlToText } from '../html-to-text.ts'
import { leftOut } from '../left-out.ts'
import type { Entry } from '../source.ts'
import type { Staging } from '../staging/staging.ts'
import { type Community, permalinksOf, spaceOfCategory } from './community.ts'

/** SQL condition: a tag belongs to a restricted tag group. */
const HIDDEN = `t.id in (select m.tag_id from tag_group_memberships m where m.tag_group_id in (select tag_group_id from tag_group_permissions)
  and m.tag_group_id not in (select tag_group_id from tag_group_permissions where group_id = 0))`

/** Creates the tables of the tags of imported topics. Synonyms are replaced with their target. `position` is the tag's order in the topic. */
export const prepareTags = (staging: Staging): void => {
  staging.exec(`create table tagged (topic_id integer, tag_id integer, position integer, primary key (topic_id, tag_id)) without rowid`)
  staging.exec(`insert or ignore into tagged select tt.topic_id, coalesce(t.target_tag_id, t.id), tt.id
    from topic_tags tt join tags t on t.id = tt.tag_id join topic p on p.id = tt.topic_id where p.reason is null order by tt.topic_id, tt.id`)
  staging.exec(`create table hidden_tag (id integer primary key); insert into hidden_tag select t.id from tags t where ${HIDDEN}`)
}

interface Row {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly created_at: string | null
  readonly since: string | null
  readonly hidden: number
  /** Ids of the categories that use it; 0 for topics without a category. */
  readonly categories: string
}

const TAGS = `select t.id, t.name, t.description, t.created_at, min(p.created_at) as since,
    t.id in (select id from hidden_tag) as hidden, group_concat(distinct coalesce(w.category_id, 0)) as categories
  from tagged g join tags t on t.id = g.tag_id join topic w on w.id = g.topic_id join topics p on p.id = g.topic_id
  group by t.id order by t.name, t.id`

export const countTopics = ({ staging }: Community): number =>
  staging.get<{ n: number }>('select count(distinct tag_id) as n from tagged')?.n ?? 0

/** A tag that only topics of restricted categories use is limited to their spaces, because its name could reveal their subject. */
export function* readTopics(community: Community): Generator<Entry<'topics'>> {
  const { staging, base, categories, earliest } = community
  let position = 0
  for (const row of staging.rows<Row>(TAGS)) {
    const { id, name, hidden } = row
    if (hidden) {
      yield leftOut(String(id), 'this tag is restricted to some groups')
      continue
    }
    const used = row.categories.split(',').map(Number)
    const isOpen = used.some((category) => category === 0 || categories.get(category)?.readers === null)
    const description = htmlToText(row.description ?? '').text
    yield {
      id: String(id),
      urls: [...['tag', 'tags'].map((word) => `${base}/${word}/${encodeURIComponent(name)}`), ...permalinksOf(community, 'tag_id', id)],
      title: name,
      slug: name,
      ...(description && { description }),
      spaces: isOpen ? null : used.sort((a, b) => a - b).map(spaceOfCategory),
      position: ++position,
      created_at: datetimeFromText(row.created_at) ?? datetimeFromText(row.since) ?? earliest,
    }
  }
}
