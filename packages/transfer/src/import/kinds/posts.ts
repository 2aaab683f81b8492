import { type ContentType, slugSource } from '@lyceum/content'
import { MESSAGE_BYTES, TITLE_LENGTH, TOPICS_PER_POST } from '@lyceum/contract'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import { isListed } from '../../../../server/src/modules/feeds/counters.ts'
import type { Meta } from '../../../../server/src/modules/feeds/meta.ts'
import type { Item } from '../batches.ts'
import type { KindWriter, Settle } from '../import-kind.ts'
import type { Found } from '../lookups.ts'
import type { Run } from '../run.ts'
import { attachmentsOf, validMeta } from './attachments.ts'
import { type Author, ERASED_AUTHOR, findAuthors, MISSING_AUTHOR } from './authors.ts'
import { claimFiles, type FileUse, pictureUrl, withOwnFiles } from './files.ts'
import { POST_COLUMNS, type PostDecision, type PostTimes } from './post-decision.ts'
import { freeSlugs } from './slugs.ts'
import { surveyOf } from './surveys.ts'
import { flag, notAfter, titleOf, urlOf } from './values.ts'
import { insertPosts, updatePosts } from './write-posts.ts'

type Post = ArchiveRecord<'posts'>

const SLUGS = { name: 'feeds', tables: ['feeds'], longest: 190, reserved: new Set<string>() } as const

/** A post with its author and space. */
interface Placed {
  readonly item: Item<'posts'>
  readonly author: Author
  readonly space: Found['spaces'] | null
}

const findPlaces = async (run: Run, items: readonly Item<'posts'>[], settle: Settle<'posts'>): Promise<Placed[]> => {
  const authorOf = await findAuthors(
    run,
    items.map(({ record }) => record.author),
  )
  const spaces = await run.find(
    'spaces',
    items.map(({ record }) => record.space),
  )
  return items.flatMap((item) => {
    const { record, notes } = item
    const author = authorOf(record.author)
    const space = record.space ? spaces.get(record.space) : null
    if (author === null) settle(item, 'skipped', ERASED_AUTHOR)
    else if (space === undefined)
      settle(item, 'skipped', run.report.isLeftOut(record.space ?? '') ? 'its space was excluded' : 'its space was not imported')
    else {
      if (author.isMissing) notes.push(MISSING_AUTHOR)
      return [{ item, author, space }]
    }
    return []
  })
}

/** The stored content type. HTML is converted to Markdown. */
const contentTypeOf = ({ format, content_type: given }: Post, hasSurvey: boolean): ContentType => {
  const content_type = given ?? (hasSurvey ? 'survey' : 'text')
  if (content_type === 'survey') return hasSurvey ? 'survey' : 'text'
  return format === 'html' && (content_type === 'html' || content_type === 'text') ? 'markdown' : content_type
}

/** A scheduled post whose time has passed is published as of that time, like at the source. */
const statusOf = (run: Run, { item: { record, notes }, author }: Placed): Post['status'] => {
  const { status, scheduled_at, auto_publish } = record
  if (status !== 'scheduled' || (scheduled_at && scheduled_at > run.now)) return status
  // Its author publishes it manually.
  if (scheduled_at && auto_publish === false) return status
  if (scheduled_at && !author.isMissing) {
    notes.push('it was published with its scheduled time, which has passed')
    return 'published'
  }
  notes.push(`it is a draft now: ${scheduled_at ? 'its author does not exist in the source' : 'it has no scheduled time'}`)
  return 'draft'
}

const timesOf = (run: Run, record: Post, status: Post['status']): PostTimes => {
  const created = notAfter(run.now, record.created_at)
  const due = status === 'published' && record.status === 'scheduled' ? record.scheduled_at : null
  const published = notAfter(run.now, due ?? record.published_at ?? record.created_at)
  const latest = [published, record.edited_at ?? '', record.active_at ?? ''].sort().at(-1) ?? published
  return {
    created_at: created,
    updated_at: notAfter(run.now, record.updated_at ?? record.edited_at ?? created),
    published_at: status === 'published' || record.published_at ? published : created,
    active_at: notAfter(run.now, latest),
  }
}

/** `meta` before URLs are replaced. */
const metaOf = (run: Run, { item }: Placed, files: ReadonlyMap<string, Found['media']>) => {
  const { record, notes } = item
  const survey = record.survey ? surveyOf(record.survey, record.title || record.message, notes) : null
  const { meta, keys, append } = attachmentsOf(run, record, files, notes)
  return {
    meta: { ...meta, ...(survey && { survey }), ...(record.comments_disabled && { comments_disabled: true }) } as Meta,
    keys,
    append,
    hasSurvey: survey !== null,
  }
}

const fallbackText = '…'

export const posts: KindWriter<'posts', PostDecision> = {
  kind: 'posts',
  guarded: { table: 'feeds', columns: POST_COLUMNS },
  decide: async (run, items, settle) => {
    const placed = await findPlaces(run, items, settle)
    const media = await run.find(
      'media',
      placed.flatMap(({ item: { record } }) => [...(record.media ?? []), record.featured_image]),
    )
    const topics = await run.find(
      'topics',
      placed.flatMap(({ item }) => item.record.topics ?? []),
    )
    const statuses = new Map(placed.map((one) => [one.item, statusOf(run, one)]))
    const metas = placed.map((one) => metaOf(run, one, media))
    const texts = await run.texts(
      placed.map(({ item: { record } }, i) => {
        const contentType = contentTypeOf(record, metas[i]?.hasSurvey ?? false)
        return {
          text: record.message.trim() === '' ? record.title?.trim() || fallbackText : record.message,
          isHtml: record.format === 'html' && contentType !== 'html',
          contentType,
          most: Math.max(run.services.config.messageLimit, MESSAGE_BYTES),
          title: titleOf(record.title, TITLE_LENGTH),
          append: metas[i]?.append,
          meta: metas[i]?.meta,
        }
      }),
    )
    const written = placed.flatMap((one, i) => {
      const text = texts[i]
      if (text) return [{ ...one, ...(metas[i] as (typeof metas)[number]), text }]
      settle(one.item, 'failed', 'its text takes too long to render')
      return []
    })
    const claimed = await claimFiles(
      run,
      'feed',
      written.map(({ item: { record, known }, text, keys }) => ({
        ...{ kind: 'posts' as const, id: record.id, holder: known?.local_id ?? undefined },
        keys: [...keys, ...text.files, ...[record.featured_image].flatMap((id) => media.get(id ?? '')?.key ?? [])],
      })),
    )
    const fresh = written.filter(({ item }) => item.known === undefined)
    const ids = await run.ids.take('feeds', fresh.length)
    const seenByAll = ({ item, space }: Placed) =>
      statuses.get(item) === 'published' &&
      item.record.privacy === 'public' &&
      (space === null || (space.privacy === 'public' && space.status !== 'draft'))
    const slugs = await freeSlugs(
      run,
      SLUGS,
      fresh.map((one) => {
        const { record } = one.item
        const words = slugSource(record.title, one.text.message)
        return {
          kind: 'posts',
          id: record.id,
          slug: record.slug,
          words,
          fallback: 'feed',
          hidden: run.source.name !== 'lyceum' && !seenByAll(one),
        }
      }),
    )
    const places = new Map(fresh.map(({ item }, i) => [item, i]))
    return written.map(({ item, author, space, text, hasSurvey }, i): PostDecision => {
      const { record, known, notes } = item
      notes.push(...text.notes)
      const files = claimed[i] as FileUse[]
      const place = places.get(item) ?? 0
      const id = known?.local_id ?? (ids[place] as number)
      const status = statuses.get(item) as Post['status']
      const times = timesOf(run, record, status)
      const expired_at = record.expired_at ?? null
      const meta = JSON.parse(withOwnFiles(JSON.stringify(validMeta(text.meta, notes)), files)) as Meta
      const contentType = contentTypeOf(record, hasSurvey && meta['survey'] !== undefined)
      const featured = withOwnFiles(pictureUrl(run, media, record.featured_image, urlOf(record.featured_image_url)), files)
      const listed = isListed({ status, expired_at }, run.now)
      const found = { id, user_id: author.id, space_id: space?.id ?? null, status, lesson_id: null }
      run.memory.put('posts', record.id, { ...found, meta: meta['survey'] ? JSON.stringify({ survey: meta['survey'] }) : '{}' })
      const message = withOwnFiles(text.message, files)
      return {
        item,
        id,
        guarded: [
          ...[
            author.id,
            space?.id ?? null,
            record.privacy,
            status,
            record.type === 'course_lesson' ? 'feed' : (record.type ?? 'feed'),
            contentType,
          ],
          ...[titleOf(record.title, TITLE_LENGTH), message, JSON.stringify(meta), featured || null, record.priority ?? 0, expired_at],
          ...[status === 'scheduled' ? (record.scheduled_at ?? null) : null, record.edited_at ?? null, flag(record.edited_by_moderator)],
        ],
        unresolved: text.unresolved,
        author: author.id,
        space: space?.id ?? null,
        slug: slugs[place] ?? '',
        html: withOwnFiles(text.html, files),
        document: text.document,
        meta,
        files,
        topics: [...new Set((record.topics ?? []).flatMap((one) => topics.get(one)?.id ?? []))].slice(0, TOPICS_PER_POST),
        listed,
        pinned: record.is_sticky === true,
        times,
      }
    })
  },
  insert: insertPosts,
  update: updatePosts,
}
