import {
  itemsOf,
  type LikesAnswer,
  type PollAnswer,
  type PostAnswer,
  type PostsAnswer,
  type TopicAnswer,
  type TopicsAnswer,
} from './answers.ts'
import type { SiteApi } from './site-api.ts'
import type { Seen } from './stage-people.ts'
import type { Stager } from './stager.ts'

const POSTS_AT_ONCE = 20
const LIKE = 2
const POLL_TYPES = ['regular', 'multiple', 'number', 'ranked_choice']
const POLL_RESULTS = ['always', 'on_vote', 'on_close', 'staff_only']
const UPLOAD = /(?:upload:\/\/|\/uploads\/short-url\/)(\w{1,27}\.\w{1,10})|data-base62-sha1="(\w{1,27})"/g
const EXTENSION = /\.(\w{1,10})(?=["?#])/

export interface Crawl {
  readonly api: SiteApi
  readonly stager: Stager
  /** Accounts mentioned in posts. */
  readonly seen: Map<number, Seen>
  readonly tags: Map<string, number>
}

/** Ids of the topics of a list, such as a category. */
export const topicIds = async function* ({ api }: Crawl, list: string): AsyncGenerator<number> {
  const found = new Set<number>()
  for (let page = 0; ; page++) {
    const answer = await api.get<TopicsAnswer>(`${list}?order=created&ascending=true&page=${page}`)
    const fresh = itemsOf(answer?.topic_list?.topics).filter(({ id }) => !found.has(id))
    for (const { id } of fresh) {
      found.add(id)
      yield id
    }
    if (fresh.length === 0 || !answer?.topic_list?.more_topics_url) return
  }
}

const stagePolls = ({ stager }: Crawl, post: number, polls: readonly PollAnswer[]) => {
  for (const poll of polls) {
    const id = stager.nextId()
    stager.add('polls', {
      id,
      post_id: post,
      type: POLL_TYPES.indexOf(poll.type ?? 'regular'),
      status: poll.status === 'closed' ? 1 : 0,
      results: POLL_RESULTS.indexOf(poll.results ?? 'always'),
      visibility: poll.public ? 1 : 0,
      name: poll.name,
      title: poll.title,
      close_at: poll.close,
    })
    for (const { id: digest, html } of itemsOf(poll.options)) stager.add('poll_options', { id: stager.nextId(), poll_id: id, digest, html })
  }
}

const stageLikes = async ({ api, stager, seen }: Crawl, { id, created_at }: PostAnswer) => {
  const answer = await api.get<LikesAnswer>(`/post_action_users.json?id=${id}&post_action_type_id=${LIKE}&limit=200`)
  for (const user of itemsOf(answer?.post_action_users)) {
    if (!seen.has(user.id)) seen.set(user.id, user)
    stager.add('post_actions', { id: stager.nextId(), post_id: id, user_id: user.id, post_action_type_id: LIKE, created_at })
  }
}

const stageUploads = ({ stager }: Crawl, { id, raw = '', cooked = '' }: PostAnswer) => {
  const names = new Set<string>()
  for (const [, named, bare] of `${raw}\n${cooked}`.matchAll(UPLOAD)) {
    if (named) names.add(named)
    else {
      const extension = EXTENSION.exec(cooked.slice(cooked.lastIndexOf('<', cooked.indexOf(`data-base62-sha1="${bare}"`))))?.[1]
      if (extension) names.add(`${bare}.${extension}`)
    }
  }
  for (const name of names) stager.reference(id, name)
}

const stagePost = async (crawl: Crawl, topic: number, post: PostAnswer) => {
  const { stager, seen } = crawl
  const { id, user_id, username, name, avatar_template, admin, moderator } = post
  if (typeof user_id === 'number') seen.set(user_id, { id: user_id, username, name, avatar_template, admin, moderator })
  stager.add('posts', { ...post, topic_id: topic, last_version_at: post.updated_at })
  if (post.accepted_answer)
    stager.add('discourse_solved_solved_topics', { id, topic_id: topic, answer_post_id: id, created_at: post.created_at })
  stagePolls(crawl, id, itemsOf(post.polls))
  stageUploads(crawl, post)
  if (itemsOf(post.actions_summary).some((action) => action.id === LIKE && (action.count ?? 0) > 0)) await stageLikes(crawl, post)
}

const stageTags = ({ stager, tags }: Crawl, topic: number, names: NonNullable<TopicAnswer['tags']>) => {
  for (const tag of names) {
    const name = typeof tag === 'string' ? tag : tag.name
    if (!name) continue
    const id = tags.get(name) ?? stager.nextId()
    if (!tags.has(name)) stager.add('tags', { id, name })
    tags.set(name, id)
    stager.add('topic_tags', { id: stager.nextId(), topic_id: topic, tag_id: id })
  }
}

/** Copies a topic with all of its posts. */
export const stageTopic = async (crawl: Crawl, id: number): Promise<void> => {
  const { api, stager } = crawl
  const topic = await api.get<TopicAnswer>(`/t/${id}.json?include_raw=true`)
  if (!topic || topic.archetype === 'private_message') return
  const posts = itemsOf(topic.post_stream?.posts)
  stager.add('topics', {
    ...topic,
    tags: null,
    post_stream: null,
    user_id: topic.user_id ?? posts[0]?.user_id,
    bumped_at: topic.bumped_at ?? topic.last_posted_at,
  })
  stageTags(crawl, id, itemsOf(topic.tags))
  const loaded = new Set(posts.map((post) => post.id))
  for (const post of posts) await stagePost(crawl, id, post)
  const rest = itemsOf(topic.post_stream?.stream).filter((post) => !loaded.has(post))
  for (let at = 0; at < rest.length; at += POSTS_AT_ONCE) {
    const ids = rest.slice(at, at + POSTS_AT_ONCE).map((post) => `post_ids[]=${post}`)
    const answer = await api.get<PostsAnswer>(`/t/${id}/posts.json?${ids.join('&')}&include_raw=true`)
    for (const post of itemsOf(answer?.post_stream?.posts)) await stagePost(crawl, id, post)
  }
}
