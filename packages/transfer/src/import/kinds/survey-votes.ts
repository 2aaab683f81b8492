import { batchStatement, type Value } from '../../../../server/src/db/index.ts'
import type { Survey } from '../../../../server/src/modules/feeds/meta.ts'
import type { Decision, KindWriter } from '../import-kind.ts'
import { withoutDuplicates } from './pairs.ts'
import { optionSlug } from './surveys.ts'
import { notAfter } from './values.ts'

interface VoteDecision extends Decision<'survey_votes'> {
  readonly feed: number
  readonly user: number
  readonly survey: Survey
  readonly options: readonly string[]
}

const present = batchStatement<{ feed_id: number; user_id: number }>(
  { feed_id: 'bigint', user_id: 'bigint' },
  (rows) =>
    `select distinct v.feed_id, v.user_id from ${rows} d cross join survey_votes v where v.feed_id = d.feed_id and v.user_id = d.user_id`,
)

/** A single choice always uses slot 0; multiple choices use one slot per option. */
const slotOf = ({ allow_multiple, options }: Survey, slug: string): number =>
  allow_multiple ? options.findIndex((option) => option.slug === slug) + 1 : 0

export const surveyVotes: KindWriter<'survey_votes', VoteDecision> = {
  kind: 'survey_votes',
  guarded: null,
  decide: async (run, items, settle) => {
    const people = await run.find(
      'people',
      items.map(({ record }) => record.person),
    )
    const posts = await run.find(
      'posts',
      items.map(({ record }) => record.post),
    )
    const all = items.flatMap((item) => {
      const { record, notes } = item
      const person = people.get(record.person)
      const post = posts.get(record.post)
      const survey = post && (JSON.parse(post.meta) as { survey?: Survey }).survey
      if (!person || person.status === 'deleted') settle(item, 'skipped', 'its member was not imported')
      else if (!post) settle(item, 'skipped', 'its post was not imported')
      else if (!survey) settle(item, 'skipped', 'its post has no survey')
      else {
        const known = [...new Set(record.options.map(optionSlug))].filter((slug) => survey.options.some((option) => option.slug === slug))
        const options = survey.allow_multiple ? known : known.slice(0, 1)
        if (options.length < record.options.length && options.length > 0)
          notes.push('some of its options were dropped: they do not exist, or the survey allows only one')
        if (options.length > 0) return [{ item, feed: post.id, user: person.id, survey, options, key: `${post.id} ${person.id}` }]
        settle(item, 'skipped', 'its options do not exist in the survey')
      }
      return []
    })
    const rows = await present(
      run.services.database.read,
      all.map(({ feed, user }) => [feed, user]),
    )
    const known = new Set(rows.map(({ feed_id, user_id }) => `${feed_id} ${user_id}`))
    const kept = await withoutDuplicates(run, 'survey_votes', all, known, settle)
    return kept.map((one) => ({ ...one, id: one.feed, guarded: null }))
  },
  insert: async (run, { add, counters }, decided) => {
    const rows: Value[][] = []
    for (const { feed, user, survey, options, item } of decided) {
      counters.addVoter(feed)
      for (const option of options) {
        counters.addVote(feed, option)
        rows.push([feed, user, slotOf(survey, option), option, notAfter(run.now, item.record.created_at)])
      }
    }
    await add('survey_votes', ['feed_id', 'user_id', 'slot', 'option_slug', 'created_at'], rows)
  },
}
