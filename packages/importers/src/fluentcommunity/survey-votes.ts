import type { ArchiveRecord } from '@lyceum/contract/archive'
import { readMeta } from '../wordpress/index.ts'
import { type Community, clean, countOf, type KindReader, personId, skipped } from './community.ts'
import { isMultiple, optionsOf } from './surveys.ts'

export interface VoteRow {
  readonly id: number
  readonly user_id: number | null
  readonly object_id: number | null
  /** Slug of the chosen option. */
  readonly object_type: string | null
  readonly created_at: string | null
  readonly updated_at: string | null
  readonly person: number
}

interface Ballot {
  readonly slugs: ReadonlyMap<string, string>
  readonly isMultiple: boolean
}

/** Maps source option slugs of a survey to imported ones; null if the post is not imported or has no survey. */
const ballotOf = ({ staging }: Community, post: number): Ballot | null => {
  const row = staging.get<{ meta: string | null }>(
    'select p.meta from fcom_posts p join imported_posts b on b.id = p.id and b.lesson = 0 where p.id = ?',
    post,
  )
  const { value } = readMeta(row?.meta ?? null)
  const options = row ? optionsOf(value) : []
  if (options.length === 0) return null
  return { slugs: new Map(options.flatMap(({ source, slug }) => (source === null ? [] : [[source, slug]]))), isMultiple: isMultiple(value) }
}

const ROWS = `select r.*, exists (select 1 from imported_people p where p.id = r.user_id) person from fcom_post_reactions r
  where r.type = 'survey_vote' order by r.object_id, r.user_id, r.id`

/** Converts the votes of one person in one survey. */
const voteOf = (community: Community, ballot: Ballot, rows: readonly VoteRow[]) => {
  const [first] = rows as [VoteRow]
  const left = []
  const chosen = new Set<string>()
  for (const row of rows) {
    const slug = ballot.slugs.get(clean(row.object_type))
    if (slug === undefined) left.push(skipped(row.id, `the survey has no option ${clean(row.object_type)}`))
    else if (chosen.has(slug)) left.push(skipped(row.id, 'the account has already voted for this option'))
    else if (chosen.size > 0 && !ballot.isMultiple) left.push(skipped(row.id, 'the account has already voted for another option'))
    else chosen.add(slug)
  }
  if (chosen.size === 0) return left
  const record: ArchiveRecord<'survey_votes'> = {
    id: `${first.object_id}-${first.user_id}`,
    post: String(first.object_id),
    person: personId(first.user_id),
    options: [...chosen],
    created_at: community.created('fcom_post_reactions', first.id, first.created_at, first.updated_at),
  }
  return [record, ...left]
}

export const surveyVotes: KindReader<'survey_votes'> = {
  table: 'fcom_post_reactions',
  count: (community) => countOf(community, "from fcom_post_reactions where type = 'survey_vote'"),
  read: function* (community) {
    let post: number | null = null
    let ballot: Ballot | null = null
    let rows: VoteRow[] = []
    const finish = function* () {
      if (rows.length > 0 && ballot) yield* voteOf(community, ballot, rows)
      rows = []
    }
    for (const row of community.staging.rows<VoteRow>(ROWS)) {
      if (rows[0] && (rows[0].object_id !== row.object_id || rows[0].user_id !== row.user_id)) yield* finish()
      if (row.object_id !== post) {
        post = row.object_id
        ballot = post === null ? null : ballotOf(community, post)
      }
      if (ballot === null) yield skipped(row.id, 'its survey does not exist in the source')
      else if (row.person === 0) yield skipped(row.id, 'its account does not exist in the source')
      else rows.push(row)
    }
    yield* finish()
  },
}
