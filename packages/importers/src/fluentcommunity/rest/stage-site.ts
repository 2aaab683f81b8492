import { UnreadableSource } from '../../source.ts'
import type { Staging } from '../../staging/staging.ts'
import type { Gaps } from '../source.ts'
import { isObject, type JsonObject, listAt, objectAt, openRestApi, type RestApi } from './api.ts'
import { type Add, createAdd, REST_PREFIX } from './tables.ts'

const API = '/fluent-community/v2'
const AT_ONCE = 4
/** Status values of the member list API and of the table. */
const STATUSES = { active: 'active', blocked: 'blocked', pending: 'pending', deactivated: '' } as const

/** Converts `2024-01-02T03:04:05+00:00` to the format of the tables. */
const utc = (time: unknown): string | null => {
  const ms = typeof time === 'string' ? Date.parse(time) : Number.NaN
  return Number.isNaN(ms) ? null : new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const inTurns = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const queue = [...items]
  const turn = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, turn))
}

class SiteStage {
  readonly #api: RestApi
  readonly #add: Add
  readonly #staging: Staging
  readonly #signal: AbortSignal | undefined
  readonly #terms = new Set<string>()
  #rows = 0

  constructor(api: RestApi, staging: Staging, signal: AbortSignal | undefined) {
    this.#api = api
    this.#add = createAdd(staging)
    this.#staging = staging
    this.#signal = signal
  }

  async read(address: string): Promise<void> {
    await this.#options(address)
    await this.#accounts()
    await this.#profiles()
    await this.#spaces()
    await this.#courses()
    await this.#feeds()
  }

  /** Returns an id for a row that has none in the API. */
  #next(): number {
    return ++this.#rows
  }

  /** Requests one object. A failure is reported as a broken row of the table. */
  async #optional(table: string, path: string, query?: Readonly<Record<string, string | number>>): Promise<unknown> {
    this.#signal?.throwIfAborted()
    const answer = await this.#api.get(API + path, query).catch((error: unknown) => error as Error)
    if (answer !== null && !(answer instanceof Error)) return answer
    this.#staging.report({ table: REST_PREFIX + table, place: path, reason: answer?.message ?? 'the site returned no data' })
    return null
  }

  async #options(address: string): Promise<void> {
    const index = await this.#api.get('/')
    const general = await this.#api.get(`${API}/admin/general`)
    if (!isObject(general)) throw new UnreadableSource(`${address} has no community: its API has no ${API}.`)
    const site = isObject(index) ? index : {}
    const options = {
      home: text(site['home']) || address,
      siteurl: text(site['url']) || address,
      timezone_string: text(site['timezone_string']),
      gmt_offset: text(site['gmt_offset']),
      fluent_community_settings: JSON.stringify({ slug: objectAt(general, 'settings')['slug'] }),
    }
    for (const [option_name, option_value] of Object.entries(options))
      this.#add('options', { option_id: this.#next(), option_name, option_value })
  }

  async #accounts(): Promise<void> {
    for await (const users of this.#api.pages('/wp/v2/users', '', { context: 'edit' }))
      for (const user of users) {
        this.#add('users', {
          ID: user['id'],
          user_login: user['username'],
          user_nicename: user['slug'],
          user_email: user['email'],
          user_url: user['url'],
          user_registered: utc(user['registered_date']),
          display_name: user['name'],
        })
        const roles = Array.isArray(user['roles']) ? user['roles'].map(String) : []
        const meta = {
          first_name: user['first_name'],
          last_name: user['last_name'],
          nickname: user['nickname'],
          description: user['description'],
          [`${REST_PREFIX}capabilities`]: Object.fromEntries(roles.map((role) => [role, true])),
        }
        for (const [meta_key, meta_value] of Object.entries(meta))
          this.#add('usermeta', { umeta_id: this.#next(), user_id: user['id'], meta_key, meta_value })
      }
  }

  async #profiles(): Promise<void> {
    for (const [name, status] of Object.entries(STATUSES))
      for await (const members of this.#api.pages(`${API}/members`, 'members', { status: name, sort_by: 'created_at' }))
        for (const member of members) {
          // The API returns a Gravatar URL for people without a picture.
          const avatar = /gravatar\.com/i.test(text(member['avatar'])) ? '' : member['avatar']
          this.#add('fcom_xprofile', { ...member, id: member['user_id'], status, avatar })
        }
  }

  #topic(term: JsonObject, id: unknown): void {
    if (this.#terms.has(text(id))) return
    this.#terms.add(text(id))
    this.#add('fcom_terms', {
      ...term,
      id,
      taxonomy_name: 'post_topic',
      settings: { admin_only: term['admin_only'] ?? objectAt(term, 'settings')['admin_only'] },
    })
  }

  async #spaces(): Promise<void> {
    const groups = await this.#api.get(`${API}/spaces/space_groups`)
    for (const group of listAt(groups, 'groups')) this.#add('fcom_spaces', group)
    const spaces = listAt(await this.#api.get(`${API}/admin/all_space_courses`), 'all_spaces').filter(
      (space) => space['type'] === 'community',
    )
    for (const space of spaces) this.#add('fcom_spaces', space)
    for await (const page of this.#api.pages(`${API}/spaces/all-spaces`, 'spaces'))
      for (const space of page)
        for (const topic of listAt(space, 'topics')) {
          this.#topic(topic, topic['id'])
          this.#add('fcom_meta', {
            id: this.#next(),
            object_type: 'term_space_relation',
            object_id: topic['id'],
            meta_key: text(space['id']),
          })
        }
    for (const space of spaces)
      for (const status of ['active', 'pending'])
        for await (const members of this.#api.pages(
          `${API}/spaces/${encodeURIComponent(text(space['slug']))}/members`,
          'members',
          status === 'active' ? {} : { status },
        ))
          for (const member of members) this.#add('fcom_space_user', member)
  }

  async #courses(): Promise<void> {
    for await (const courses of this.#api.pages(`${API}/admin/courses`, 'courses'))
      for (const course of courses) {
        const path = `/admin/courses/${text(course['id'])}`
        const full = objectAt(await this.#optional('fcom_spaces', path), 'course')
        this.#add('fcom_spaces', { ...course, ...full })
        for (const section of listAt(await this.#optional('fcom_posts', `${path}/sections`), 'sections')) {
          this.#add('fcom_posts', section)
          for (const lesson of listAt(section, 'lessons')) this.#add('fcom_posts', lesson)
        }
        for await (const students of this.#api.pages(`${API}${path}/students`, 'students'))
          for (const student of students) this.#add('fcom_space_user', { id: this.#next() + 1e12, ...objectAt(student, 'space_pivot') })
        for await (const comments of this.#api.pages(`${API}${path}/comments`, 'comments')) await this.#comments(comments)
      }
  }

  async #comments(comments: readonly JsonObject[]): Promise<void> {
    await inTurns(comments, async (comment) => {
      this.#add('fcom_post_comments', comment)
      if (Number(comment['reactions_count']) > 0)
        this.#reactions(await this.#optional('fcom_post_reactions', `/comments/${text(comment['id'])}/reactions`), 'reactions')
    })
  }

  #reactions(answer: unknown, name: string): void {
    for (const reaction of listAt(answer, name)) this.#add('fcom_post_reactions', reaction)
  }

  async #feeds(): Promise<void> {
    for await (const feeds of this.#api.pages(`${API}/feeds`, 'feeds', { order_by_type: 'oldest', disable_sticky: 'yes' }))
      await inTurns(feeds, (feed) => this.#feed(feed))
  }

  /** Requests the Markdown source, because the list contains only rendered text. */
  async #typed(feed: JsonObject): Promise<JsonObject> {
    const slug = text(feed['slug'])
    if (slug === '') return {}
    const answer = await this.#api.get(`${API}/feeds/${encodeURIComponent(slug)}/by-slug`, { context: 'edit' }).catch(() => null)
    const typed = objectAt(answer, 'feed')
    return typed['id'] === feed['id'] ? typed : {}
  }

  async #feed(feed: JsonObject): Promise<void> {
    this.#signal?.throwIfAborted()
    const id = text(feed['id'])
    const typed = await this.#typed(feed)
    this.#add('fcom_posts', { ...typed, ...feed, message: typed['message'] ?? null, updated_at: typed['updated_at'] ?? null })
    for (const term of listAt(feed, 'terms')) {
      const topic = objectAt(term, 'pivot')['term_id']
      this.#topic(term, topic)
      this.#add('fcom_term_feed', { id: this.#next(), term_id: topic, post_id: feed['id'] })
    }
    if (Number(feed['comments_count']) > 0)
      await this.#comments(listAt(await this.#optional('fcom_post_comments', `/feeds/${id}/comments`), 'comments'))
    if (Number(feed['reactions_count']) > 0)
      this.#reactions(await this.#optional('fcom_post_reactions', `/feeds/${id}/reactions`), 'reactions')
    for (const option of listAt(objectAt(objectAt(feed, 'meta'), 'survey_config'), 'options'))
      if (option['vote_counts'] !== undefined)
        this.#reactions(
          await this.#optional('fcom_post_reactions', `/feeds/${id}/apps/survey-voters/${encodeURIComponent(text(option['slug']))}`),
          'voters',
        )
  }
}

/** Data that the API does not provide, even to administrators. */
export const REST_GAPS: Gaps = {
  people: 'the API of the site does not provide passwords: members must reset theirs',
  posts: 'the API of the site provides only published posts of active members',
  lesson_completions: 'the API of the site does not provide completed lessons',
  bookmarks: 'the API of the site does not provide bookmarks',
  follows: 'the API of the site does not provide follows',
  reports: 'the API of the site does not provide reports',
}

/** Copies a community through the REST API of its site, with an administrator's account. */
export const stageSite = async (
  staging: Staging,
  address: string,
  { user, password, signal }: { readonly user?: string; readonly password?: string; readonly signal?: AbortSignal },
): Promise<void> => {
  if (!user || !password)
    throw new UnreadableSource(`${address}: use the username of an administrator and a file with their application password.`)
  const api = await openRestApi(address, user, password).catch((error: unknown) => {
    throw new UnreadableSource(`${address} cannot be reached: ${(error as Error).message}`)
  })
  await new SiteStage(api, staging, signal).read(address)
}
