import { LyceumError } from '@lyceum/sdk'
import { errorMessage } from '../../../lib/optimistic.ts'
import { toDate } from '../../../lib/time.ts'
import type { Attachment } from '../editor/draft.ts'
import { isUnsupportedByEditor, parseMarkdown } from '../markdown/parse.ts'
import { serializeMarkdown } from '../markdown/serialize.ts'
import { type GifView, gifOf, mediaOf, type PreviewView, previewOf, type SurveyView, surveyOf } from '../post/meta.ts'
import type { Feed } from '../queries.ts'

export const KINDS = ['feed', 'question', 'announcement'] as const
export type Kind = (typeof KINDS)[number]

export interface SurveyDraft {
  readonly question: string
  readonly options: readonly string[]
  readonly several: boolean
  readonly results: 'always' | 'after_vote' | 'never'
  /** A `datetime-local` value in the user's time zone. */
  readonly end: string
}

export const BLANK_SURVEY: SurveyDraft = { question: '', options: ['', ''], several: false, results: 'always', end: '' }

export interface PostDraft {
  readonly title: string
  readonly message: string
  readonly spaceId: number | null
  readonly topics: readonly number[]
  readonly kind: Kind
  readonly isPrivate: boolean
  readonly scheduled: string
  readonly items: readonly Attachment[]
  readonly gif: (GifView & { readonly id?: string }) | null
  readonly survey: SurveyDraft | null
  /** Preview of the first link. */
  readonly preview: PreviewView | null
  /** URL of a link whose preview was removed. */
  readonly unwanted: string
}

const kindOf = (type: Feed['type']): Kind => KINDS.find((kind) => kind === type) ?? 'feed'

/** Single line breaks are kept in plain text, but not in Markdown. */
const toMarkdown = ({ message, content_type }: Feed) => {
  if (content_type === 'markdown' || content_type === 'html') return message
  return isUnsupportedByEditor(message)
    ? message.replace(/([^\n])\n(?!\n)/g, '$1  \n')
    : serializeMarkdown(parseMarkdown(message, { breaks: true }))
}

const RESULTS = ['always', 'after_vote', 'never'] as const

const surveyDraftOf = ({ question, options, allow_multiple, show_results, end_date }: SurveyView): SurveyDraft => ({
  question,
  options: options.map(({ label }) => label),
  several: allow_multiple,
  results: RESULTS.find((name) => name === show_results) ?? 'always',
  end: end_date ? toLocal(end_date) : '',
})

/** Whether a saved post is not published yet. */
export const isUnpublished = (feed: Feed | undefined): boolean => feed?.status === 'scheduled' || feed?.status === 'draft'

/** Whether someone has voted, so that the options are fixed. */
export const hasVotes = (feed: Feed | undefined): boolean => (feed ? (surveyOf(feed.meta)?.total_votes ?? 0) > 0 : false)

/** The entered text. A survey without options counts as empty. */
const wordsOf = (feed: Feed): string => (feed.message.trim() === surveyOf(feed.meta)?.question.trim() ? '' : toMarkdown(feed))

const surveyIn = (feed: Feed): SurveyDraft | null => {
  const survey = surveyOf(feed.meta)
  return survey && surveyDraftOf(survey)
}

export const draftOf = (feed: Feed | undefined, spaceId: number | null): PostDraft => ({
  title: feed?.title ?? '',
  message: feed ? wordsOf(feed) : '',
  spaceId: feed ? feed.space_id : spaceId,
  topics: feed?.terms.map(({ id }) => id) ?? [],
  kind: feed ? kindOf(feed.type) : 'feed',
  isPrivate: feed?.privacy === 'private',
  scheduled: feed && feed.status === 'scheduled' && feed.scheduled_at ? toLocal(feed.scheduled_at) : '',
  items: feed ? mediaOf(feed.meta) : [],
  gif: feed ? gifOf(feed.meta) : null,
  survey: feed ? surveyIn(feed) : null,
  preview: feed ? previewOf(feed.meta) : null,
  unwanted: '',
})

/** Converts an API timestamp to a `datetime-local` value. */
const toLocal = (utc: string): string => {
  const moment = toDate(utc)
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Converts a `datetime-local` value to UTC. */
const toUtc = (local: string): string => new Date(local).toISOString().slice(0, 19)

/** Options with unchanged text keep their ID, because votes refer to it. */
const optionsOf = (labels: readonly string[], before: SurveyView | null) => {
  const given = labels.map((label) => label.trim()).filter(Boolean)
  const same = before?.options.map(({ label }) => label).join('\n') === given.join('\n')
  return same && before
    ? before.options.map(({ slug, label }) => ({ slug, label }))
    : given.map((label, n) => ({ slug: `option-${n + 1}`, label }))
}

const surveyBody = ({ question, options, several, results, end }: SurveyDraft, before: SurveyView | null) => ({
  question: question.trim(),
  options: optionsOf(options, before),
  allow_multiple: several,
  show_results: results,
  ...(end && { end_date: toUtc(end) }),
})

/** When to publish: now, at a time, or not yet (draft). */
const statusOf = ({ scheduled }: PostDraft, editing: Feed | undefined, asDraft: boolean) => {
  if (asDraft) return { status: 'draft' as const }
  if (scheduled)
    return {
      status: 'scheduled' as const,
      scheduled_at: `${scheduled}:00`.slice(0, 19),
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    }
  return isUnpublished(editing) ? { status: 'published' as const } : {}
}

/** The update request. Unchanged text is left out, so that a move does not count as an edit. */
export const changesOf = (draft: PostDraft, editing: Feed, asDraft: boolean) => {
  const { message, content_type, ...rest } = bodyOf(draft, editing, asDraft)
  return !draft.survey && draft.message === wordsOf(editing) ? rest : { ...rest, message, content_type }
}

/** The request fields of a draft. */
export const bodyOf = (draft: PostDraft, editing: Feed | undefined, asDraft: boolean) => {
  const { title, survey, gif, preview, items } = draft
  const media = items.map(({ at: _at, ...item }) => item)
  const message = draft.message.trim() === '' && survey ? survey.question : draft.message
  const isHtml = editing?.content_type === 'html'
  const content_type = isHtml ? ('html' as const) : survey ? ('survey' as const) : ('markdown' as const)
  const was = editing?.meta ?? {}
  const meta = {
    ...((media.length > 0 || 'media_items' in was) && { media_items: media.length > 0 ? media : null }),
    ...('media_images' in was && { media_images: null }),
    ...((gif || 'gif' in was) && { gif }),
    ...(preview ? preview.url !== previewOf(was)?.url && { preview } : 'preview' in was && { preview: null }),
    ...(survey ? { survey: surveyBody(survey, surveyOf(was)) } : 'survey' in was && { survey: null }),
  }
  return {
    title,
    message,
    content_type,
    type: draft.kind,
    space_id: draft.spaceId,
    topics: [...draft.topics],
    privacy: draft.isPrivate ? ('private' as const) : ('public' as const),
    meta,
    ...statusOf(draft, editing, asDraft),
  }
}

/** Fields that can have errors. */
export type Field = 'title' | 'message' | 'space_id' | 'topics' | 'scheduled_at' | 'survey' | 'reason' | ''

const fieldOf = (name: string): Field => {
  if (name.startsWith('meta.survey')) return 'survey'
  if (name === 'topic_ids' || name.startsWith('meta.topic')) return 'topics'
  return (['title', 'message', 'space_id', 'topics', 'scheduled_at', 'reason'] as const).find((field) => field === name) ?? ''
}

const BY_CODE: Readonly<Record<string, Field>> = {
  topic_required: 'topics',
  space_not_found: 'space_id',
  rest_forbidden: 'space_id',
  invalid_scheduled_time: 'scheduled_at',
}

/** Error messages by field. */
export const fieldErrors = (error: unknown): Partial<Record<Field, string>> => {
  if (!error) return {}
  if (!(error instanceof LyceumError)) return { '': errorMessage(error) }
  const { field, errors } = error.data
  if (typeof errors === 'object' && errors !== null)
    return Object.fromEntries(Object.entries(errors).map(([name, text]) => [fieldOf(name), `${name.split('.').at(-1)} ${text}`]))
  return { [typeof field === 'string' ? fieldOf(field) : (BY_CODE[error.code] ?? '')]: errorMessage(error) }
}
