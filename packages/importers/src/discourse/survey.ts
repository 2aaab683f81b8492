import type { ArchiveRecord } from '@lyceum/contract/archive'
import { datetimeFromText } from '../datetime.ts'
import { htmlToText } from '../html-to-text.ts'
import { leftOut } from '../left-out.ts'
import type { Entry } from '../source.ts'
import type { Staging } from '../staging/staging.ts'
import { type Community, hasAccount } from './community.ts'

type Survey = NonNullable<ArchiveRecord<'posts'>['survey']>

/** A post has one survey: the first poll with options in the first post of a topic. */
export const prepareSurveys = (staging: Staging): void =>
  staging.exec(`create table survey (poll_id integer primary key, topic_id integer);
    insert into survey select min(p.id), t.id from polls p join topic t on t.first = p.post_id
      where t.reason is null and (select count(*) from poll_options o where o.poll_id = p.id) > 1 group by t.id;
    create index survey_by_topic on survey (topic_id)`)

interface Poll {
  readonly id: number
  readonly type: number
  readonly status: number
  readonly results: number
  readonly visibility: number | null
  readonly title: string | null
  readonly close_at: string | null
  readonly updated_at: string | null
}

interface Option {
  readonly id: number
  readonly html: string | null
  readonly votes: number
}

const POLL = 'select p.* from survey s join polls p on p.id = s.poll_id where s.topic_id = ?'
const OPTIONS = `select o.id, o.html, (select count(*) from poll_votes v where v.poll_option_id = o.id) as votes
  from poll_options o where o.poll_id = ? order by o.id`
const MULTIPLE = 1
const RANKED = 3
const CLOSED = 1
/** Visibility of polls whose voters are public. */
const OPEN = 1
/** When results are shown: always, or after the poll closes. */
const ALWAYS = 0
const ON_CLOSE = 2
const RESULTS = ['always', 'after_vote', 'never', 'never'] as const

const optionSlug = (id: number) => `option-${id}`

const optionsOf = ({ staging }: Community, poll: Poll) =>
  [...staging.rows<Option>(OPTIONS, poll.id)].map(({ id, html, votes }) => ({ id, label: htmlToText(html ?? '').text || `${id}`, votes }))

/** The public results of a secret poll, as lines to append to the text. Its votes are not imported, because surveys show who voted. */
const resultOf = (community: Community, poll: Poll): string[] => {
  const isShown = poll.results === ALWAYS || (poll.results === ON_CLOSE && poll.status === CLOSED)
  if (poll.visibility === OPEN || poll.type === RANKED || !isShown) return []
  const options = optionsOf(community, poll)
  return options.some(({ votes }) => votes > 0) ? options.map(({ label, votes }) => `${label}: ${votes}`) : []
}

/** The survey of a topic, and result lines to append to its text; null without a poll. */
export const surveyOf = (
  community: Community,
  topic: number,
  title: string,
): { readonly survey: Survey; readonly result: readonly string[] } | null => {
  const { staging, earliest } = community
  const poll = staging.get<Poll>(POLL, topic)
  if (!poll) return null
  const end = datetimeFromText(poll.close_at) ?? (poll.status === CLOSED ? (datetimeFromText(poll.updated_at) ?? earliest) : null)
  const survey: Survey = {
    question: htmlToText(poll.title ?? '').text || title,
    options: optionsOf(community, poll).map(({ id, label }) => ({ slug: optionSlug(id), label })),
    ...(poll.type === MULTIPLE && { allow_multiple: true }),
    show_results: RESULTS[poll.results] ?? 'never',
    ...(end && { end_date: end }),
  }
  return { survey, result: resultOf(community, poll) }
}

interface Vote {
  readonly poll_id: number
  readonly user_id: number
  readonly topic_id: number | null
  readonly type: number
  readonly visibility: number | null
  /** Ids of the chosen options; the first choice of a ranked poll. */
  readonly options: string
  readonly since: string | null
}

const VOTES = `select v.poll_id, v.user_id, s.topic_id, p.type, p.visibility, min(v.created_at) as since,
    (select group_concat(poll_option_id) from (select poll_option_id from poll_votes o where o.poll_id = v.poll_id and o.user_id = v.user_id
      and (p.type <> ${RANKED} or o.rank = 1) order by poll_option_id)) as options
  from poll_votes v join polls p on p.id = v.poll_id left join survey s on s.poll_id = v.poll_id
  group by v.poll_id, v.user_id order by v.poll_id, v.user_id`

export const countVotes = ({ staging }: Community): number =>
  staging.get<{ n: number }>(
    'select count(*) as n from (select distinct v.poll_id, v.user_id from poll_votes v join polls p on p.id = v.poll_id)',
  )?.n ?? 0

export function* readSurveyVotes(community: Community): Generator<Entry<'survey_votes'>> {
  for (const { poll_id, user_id, topic_id, type, visibility, options, since } of community.staging.rows<Vote>(VOTES)) {
    const id = `${poll_id}:${user_id}`
    if (topic_id === null) yield leftOut(id, 'its poll was not imported: only the first poll of a topic becomes a survey')
    else if (visibility !== OPEN) yield leftOut(id, 'its poll is secret, but surveys show who voted')
    else if (!hasAccount(community, user_id)) yield leftOut(id, 'its account does not exist in the source')
    else if (!options) yield leftOut(id, 'it has no option')
    else
      yield {
        id,
        post: String(topic_id),
        person: String(user_id),
        options: options
          .split(',')
          .slice(0, type === MULTIPLE ? undefined : 1)
          .map((option) => optionSlug(Number(option))),
        created_at: datetimeFromText(since) ?? community.earliest,
      }
  }
}
