import { describe, expect, test } from 'vitest'
import { commentWriter, postWriter } from './generator/write.ts'
import { type GeneratedCommunity, type GeneratorOptions, generate } from './generator.ts'
import { KINDS } from './text/types.ts'

const NOW = 1_790_000_000
const small: GeneratorOptions = { members: 120, spaces: 12, posts: 600, comments: 1_800, reactions: 4_000, seed: 1, now: NOW }

const all = <Row>(chunks: Iterable<Row[]>): Row[] => [...chunks].flat()

const wordedPosts = ({ posts, scene }: GeneratedCommunity) => {
  const write = postWriter(scene)
  return all(posts).map((post, index) => ({ ...post, ...write(index) }))
}
const wordedComments = ({ comments, scene }: GeneratedCommunity) => {
  const write = commentWriter(scene)
  return all(comments).map((comment, index) => ({ ...comment, message: write(index) }))
}

const read = (made: GeneratedCommunity) => ({
  groups: all(made.groups),
  members: all(made.members),
  spaces: all(made.spaces),
  topics: all(made.topics),
  memberships: all(made.memberships),
  follows: all(made.follows),
  posts: wordedPosts(made),
  comments: wordedComments(made),
  reactions: all(made.reactions),
  bookmarks: all(made.bookmarks),
  votes: all(made.votes),
})

const made = generate(small)
const rows = read(made)
const rising = (moments: number[]) => moments.every((moment, index) => index === 0 || moment >= moments[index - 1]!)

describe('topics', () => {
  test('most posts are filed, under what is offered where they stand', () => {
    const filed = rows.posts.filter(({ topics }) => topics.length > 0).length / rows.posts.length
    expect(filed).toBeGreaterThan(0.5)
    expect(filed).toBeLessThan(0.95)
    for (const { space, topics } of rows.posts) {
      for (const topic of topics) expect(rows.topics[topic]!.spaces ?? [space]).toContain(space)
    }
    expect(new Set(rows.topics.map(({ slug }) => slug)).size).toBe(rows.topics.length)
    expect(rows.topics.every(({ slug }) => /^[a-z]+(-[a-z]+)*$/.test(slug))).toBe(true)
  })
})

describe('determinism', () => {
  test('the same options give the same community, however often and in whatever order it is read', () => {
    const again = generate(small)
    expect(wordedComments(again)).toEqual(rows.comments)
    expect(read(again)).toEqual(rows)
    expect(read(again)).toEqual(rows)
  })

  test('another seed gives another one', () => {
    const other = read(generate({ ...small, seed: 2 }))
    expect(other.posts.map(({ message }) => message)).not.toEqual(rows.posts.map(({ message }) => message))
    expect(other.members.map(({ username }) => username)).not.toEqual(rows.members.map(({ username }) => username))
  })

  test('another present moves the moments and nothing else', () => {
    const timeless = ({ created_at: _c, active_at: _a, last_activity: _l, ...row }: Record<string, unknown>) => row
    const later = read(generate({ ...small, now: NOW + 12_345_678 }))
    for (const name of Object.keys(rows) as (keyof typeof rows)[]) {
      expect((later[name] as object[]).map((row) => timeless({ ...row }))).toEqual(
        (rows[name] as object[]).map((row) => timeless({ ...row })),
      )
    }
    expect(later.posts[0]!.created_at).toBeGreaterThan(rows.posts[0]!.created_at)
  })
})

describe('counts', () => {
  test('there is as much as was asked for, and as was told', () => {
    expect(made.counts).toMatchObject({ members: 120, spaces: 12, posts: 600, comments: 1_800, reactions: 4_000 })
    expect(Object.fromEntries(Object.entries(rows).map(([name, list]) => [name, list.length]))).toEqual(made.counts)
    expect(made.shortfalls).toEqual([])
  })

  test('the counts that stand with the rows are right', () => {
    const counted = (list: number[]) => {
      const counts = new Map<number, number>()
      for (const index of list) counts.set(index, (counts.get(index) ?? 0) + 1)
      return (index: number) => counts.get(index) ?? 0
    }
    const comments = counted(rows.comments.map(({ post }) => post))
    const onPosts = counted(rows.reactions.flatMap(({ object_type, object }) => (object_type === 'feed' ? [object] : [])))
    const onComments = counted(rows.reactions.flatMap(({ object_type, object }) => (object_type === 'comment' ? [object] : [])))
    expect(rows.posts.map(({ comments_count }) => comments_count)).toEqual(rows.posts.map((_, index) => comments(index)))
    expect(rows.posts.map(({ reactions_count }) => reactions_count)).toEqual(rows.posts.map((_, index) => onPosts(index)))
    expect(rows.comments.map(({ reactions_count }) => reactions_count)).toEqual(rows.comments.map((_, index) => onComments(index)))
    const posts = counted(rows.posts.flatMap(({ space }) => (space === null ? [] : [space])))
    const members = counted(rows.memberships.map(({ space }) => space))
    expect(rows.spaces.map(({ posts_count }) => posts_count)).toEqual(rows.spaces.map((_, index) => posts(index)))
    expect(rows.spaces.map(({ members_count }) => members_count)).toEqual(rows.spaces.map((_, index) => members(index)))
  })

  test('what cannot be had is told', () => {
    const lonely = generate({ ...small, members: 2, spaces: 1, posts: 3, comments: 5, reactions: 1_000 })
    expect(lonely.counts).toMatchObject({ members: 2, posts: 3, comments: 5, reactions: 8 })
    expect(lonely.shortfalls).toEqual([expect.stringContaining('992 reactions')])
    const nothing = generate({ members: 0, spaces: 0, posts: 0, comments: 5, reactions: 5, seed: 1, now: NOW })
    expect(nothing.counts).toMatchObject({ members: 1, spaces: 0, posts: 0, comments: 0, reactions: 0 })
    expect(nothing.shortfalls).toHaveLength(3)
    expect(read(generate({ ...small, spaces: 0 })).posts.every(({ space }) => space === null)).toBe(true)
  })
})

describe('rules', () => {
  const key = (space: number, member: number) => space * 1_000_000 + member
  const since = new Map(rows.memberships.map(({ space, member, created_at }) => [key(space, member), created_at]))
  /** The moment from which a member may be seen on a post. */
  const allowed = (post: number, member: number) => {
    const { space } = rows.posts[post]!
    return space === null ? rows.members[member]!.created_at : (since.get(key(space, member)) ?? Number.POSITIVE_INFINITY)
  }

  test('everybody is a member of a space once, and each space has an administrator who made it', () => {
    expect(since.size).toBe(rows.memberships.length)
    for (const [index, space] of rows.spaces.entries()) {
      const staff = rows.memberships.filter((each) => each.space === index && each.role === 'admin')
      expect(staff).toEqual([{ space: index, member: space.creator, role: 'admin', created_at: space.created_at }])
      expect(rows.groups[space.group]).toBeDefined()
    }
  })

  test('only members of a space post, comment, react, bookmark and vote in it, and only after they came', () => {
    for (const [index, post] of rows.posts.entries()) expect(allowed(index, post.author)).toBeLessThanOrEqual(post.created_at)
    for (const comment of rows.comments) expect(allowed(comment.post, comment.author)).toBeLessThanOrEqual(comment.created_at)
    for (const interaction of [...rows.reactions, ...rows.bookmarks, ...rows.votes])
      expect(allowed(interaction.post, interaction.user)).toBeLessThanOrEqual(interaction.created_at)
    for (const { space, member, created_at } of rows.memberships) {
      expect(created_at).toBeGreaterThanOrEqual(Math.max(rows.spaces[space]!.created_at, rows.members[member]!.created_at))
    }
  })

  test('people follow others once, never themselves, and only once both are there', () => {
    const pairs = new Set(rows.follows.map(({ follower, following }) => `${follower} ${following}`))
    expect([pairs.size, rows.follows.length > 300]).toEqual([rows.follows.length, true])
    for (const { follower, following, created_at } of rows.follows) {
      expect(follower).not.toBe(following)
      expect(Math.max(rows.members[follower]!.created_at, rows.members[following]!.created_at)).toBeLessThanOrEqual(created_at)
      expect(created_at).toBeLessThanOrEqual(NOW)
    }
    expect(rising(rows.follows.map(({ created_at }) => created_at))).toBe(true)
    const returned = rows.follows.filter(({ follower, following }) => pairs.has(`${following} ${follower}`)).length
    expect(returned / rows.follows.length).toBeGreaterThan(0.2)
  })

  test('a few are followed by many, most by few', () => {
    const followers = new Array<number>(rows.members.length).fill(0)
    for (const { following } of rows.follows) followers[following]! += 1
    followers.sort((a, b) => b - a)
    const top = followers.slice(0, rows.members.length / 10).reduce((sum, each) => sum + each, 0)
    expect(top / rows.follows.length).toBeGreaterThan(0.25)
    expect(followers[Math.floor(followers.length / 2)]).toBeLessThan(rows.follows.length / rows.members.length)
    expect(generate({ ...small, members: 1 }).counts.follows).toBe(0)
    expect(generate({ ...small, members: 2 }).counts.follows).toBeLessThanOrEqual(2)
  })

  test('announcements are for moderators', () => {
    const staff = new Set(rows.memberships.filter(({ role }) => role !== 'member').map(({ space, member }) => key(space, member)))
    const announcements = rows.posts.filter(({ type }) => type === 'announcement')
    expect(announcements.length).toBeGreaterThan(0)
    for (const { space, author } of announcements) expect(staff.has(key(space!, author))).toBe(true)
  })

  test('all lists are in the order of time, from two years ago to the present', () => {
    for (const [name, list] of Object.entries(rows)) {
      if (name === 'groups' || name === 'topics') continue
      const moments = (list as { created_at: number }[]).map(({ created_at }) => created_at)
      expect(rising(moments), name).toBe(true)
      expect(moments[0]).toBeGreaterThanOrEqual(NOW - 730 * 86_400)
      expect(moments.at(-1)).toBeLessThanOrEqual(NOW)
    }
  })

  test('answers come after what they answer, and replies stand under a top-level comment of the same post', () => {
    const active = rows.posts.map(({ created_at }) => created_at)
    for (const [index, { post, parent, created_at }] of rows.comments.entries()) {
      expect(created_at).toBeGreaterThan(rows.posts[post]!.created_at)
      active[post] = created_at
      if (parent === null) continue
      expect(parent).toBeLessThan(index)
      expect(rows.comments[parent]).toMatchObject({ post, parent: null })
    }
    expect(rows.posts.map(({ active_at }) => active_at)).toEqual(active)
    for (const { object_type, object, post, created_at } of rows.reactions) {
      const target = object_type === 'feed' ? rows.posts[object]! : rows.comments[object]!
      expect(created_at).toBeGreaterThanOrEqual(target.created_at)
      expect(object_type === 'feed' ? object : rows.comments[object]!.post).toBe(post)
    }
  })

  test('nobody reacts twice, or to themselves; nobody bookmarks or votes twice', () => {
    const unique = (keys: string[]) => expect(new Set(keys).size).toBe(keys.length)
    unique(rows.reactions.map(({ user, object_type, object }) => `${user} ${object_type} ${object}`))
    unique(rows.bookmarks.map(({ user, post }) => `${user} ${post}`))
    unique(rows.votes.map(({ user, post }) => `${user} ${post}`))
    for (const { user, object_type, object } of rows.reactions)
      expect((object_type === 'feed' ? rows.posts : rows.comments)[object]!.author).not.toBe(user)
  })

  test('votes name options that the survey has, one or several as it says', () => {
    expect(rows.votes.length).toBeGreaterThan(20)
    for (const { post, slots, options } of rows.votes) {
      const { survey } = rows.posts[post]!
      expect(slots.map((slot) => survey!.options[slot]?.slug)).toEqual(options)
      expect(new Set(slots).size).toBe(slots.length)
      expect(options.length === 1 || survey!.allow_multiple).toBe(true)
    }
  })

  test('texts keep their limits', () => {
    for (const { title, message } of rows.posts) {
      expect(title.length).toBeLessThanOrEqual(192)
      expect(message.trim()).not.toBe('')
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(15_000)
    }
    for (const { message } of rows.comments) {
      expect(message.trim()).not.toBe('')
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(10_000)
    }
    expect(new Set(rows.spaces.map(({ slug }) => slug)).size).toBe(rows.spaces.length)
    for (const { slug, title } of rows.spaces)
      expect([slug, title]).toEqual([expect.stringMatching(/^[a-z0-9-]+$/), expect.stringMatching(/\S/)])
  })

  test('whoever is mentioned exists', () => {
    const usernames = new Set(rows.members.map(({ username }) => username))
    const mentioned = [...rows.posts, ...rows.comments].flatMap(({ message }) =>
      [...message.replace(/```.*?```/gs, '').matchAll(/@([a-z0-9_-]+)/g)].map((match) => match[1]!),
    )
    expect(mentioned.length).toBeGreaterThan(100)
    expect(mentioned.filter((username) => !usernames.has(username))).toEqual([])
  })
})

describe('the size that people try first', () => {
  const cpu = () => process.threadCpuUsage().user / 1000
  const began = cpu()
  const large = generate({ members: 1_000, spaces: 60, posts: 20_000, comments: 60_000, reactions: 100_000, seed: 1, now: NOW })
  const generated = cpu() - began
  const posts = wordedPosts(large)
  const comments = wordedComments(large)
  const others = (['members', 'spaces', 'memberships', 'reactions', 'bookmarks', 'votes'] as const).map((name) => [...large[name]])
  const counts = [posts, comments, ...others].map((list) => JSON.stringify(list).length)
  const took = cpu() - began

  test('it is made in well under three seconds', () => {
    console.info(
      `20,000 posts, 60,000 comments, 100,000 reactions: generated in ${Math.round(generated)} ms, generated and read in ${Math.round(took)} ms of one core (${Math.round(counts.reduce((sum, each) => sum + each, 0) / 1e6)} MB as JSON)`,
    )
    expect(took).toBeLessThan(3_000)
  })

  test('texts do not repeat themselves', () => {
    const titles = posts.map(({ title }) => title).filter((title) => title !== '')
    const messages = posts.map(({ message }) => message)
    const repeated = (list: string[]) => (100 * (list.length - new Set(list).size)) / list.length
    console.info(`repeated titles ${repeated(titles).toFixed(2)} %, repeated messages ${repeated(messages).toFixed(2)} %`)
    expect(repeated(titles)).toBeLessThan(1)
    expect(repeated(messages)).toBeLessThan(0.5)
    expect(titles.length).toBeGreaterThan(posts.length * 0.75)
  })

  test('lengths are those of people: short comments, posts of some sentences, now and then a long one', () => {
    const bytes = (list: { message: string }[]) => list.map(({ message }) => Buffer.byteLength(message)).toSorted((a, b) => a - b)
    const [ofPosts, ofComments] = [bytes(posts), bytes(comments)]
    const at = (list: number[], share: number) => list[Math.floor(list.length * share)]!
    expect([at(ofPosts, 0.1) > 60, at(ofPosts, 0.5) > 180, at(ofPosts, 0.99) > 500, at(ofPosts, 0.5) < 600]).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect([at(ofComments, 0.1) < 30, at(ofComments, 0.5) > 30, at(ofComments, 0.5) < 120, at(ofComments, 0.99) > 150]).toEqual([
      true,
      true,
      true,
      true,
    ])
  })

  test('all forms and scripts occur, English most', () => {
    const share = (pattern: RegExp) => posts.filter(({ message }) => pattern.test(message)).length / posts.length
    for (const pattern of [
      /^- /m,
      /^1\. /m,
      /```ts/,
      /```(?:bash|sql|python|yaml)/,
      /\]\(https:\/\/[a-z.]*example\.(?:org|com)\//,
      /^> /m,
      /^\| --- /m,
      /@[a-z0-9]/,
      /\p{Extended_Pictographic}/u,
      /\*\*/,
      /^### /m,
    ]) {
      expect(share(pattern), String(pattern)).toBeGreaterThan(0.001)
    }
    for (const script of ['Han', 'Hiragana', 'Arabic', 'Cyrillic', 'Devanagari'])
      expect(share(new RegExp(`\\p{Script=${script}}`, 'u')), script).toBeGreaterThan(0.002)
    expect(share(/^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+$/u)).toBeGreaterThan(0.75)
    expect(new Set(posts.map(({ type }) => type))).toEqual(new Set(['feed', 'question', 'announcement']))
    expect(posts.some(({ survey }) => survey)).toBe(true)
    expect(KINDS.length).toBe(15)
  })

  test('a few spaces are large, a few members busy, a few posts popular', () => {
    const spaces = all(large.spaces)
    const byPosts = spaces.map(({ posts_count }) => posts_count).toSorted((a, b) => b - a)
    expect(byPosts[0]).toBeGreaterThan(byPosts[20]! * 5)
    expect(new Set(spaces.map(({ privacy }) => privacy))).toEqual(new Set(['public', 'private', 'secret']))
    expect(spaces.filter(({ privacy }) => privacy === 'public').length).toBeGreaterThan(spaces.length * 0.6)

    const joined = new Array<number>(1_000).fill(0)
    for (const { member } of all(large.memberships)) joined[member]!++
    const most = joined.toSorted((a, b) => b - a)
    expect(most[0]).toBeGreaterThan(20)
    expect(most[0]).toBeLessThanOrEqual(61)
    expect(most[500]).toBeLessThan(6)

    const reactions = posts.map(({ reactions_count }) => reactions_count).toSorted((a, b) => b - a)
    expect(reactions[0]).toBeGreaterThan(50)
    expect(reactions.filter((count) => count === 0).length).toBeGreaterThan(posts.length * 0.1)
    const types = new Map<string, number>()
    for (const { type } of all(large.reactions)) types.set(type, (types.get(type) ?? 0) + 1)
    expect([...types.keys()].toSorted()).toEqual(['angry', 'laugh', 'like', 'love', 'sad', 'wow'])
    expect(types.get('like')).toBeGreaterThan(types.get('love')!)
    expect(types.get('love')).toBeGreaterThan(types.get('angry')! * 5)
  })

  test('there is growth: more in the last half year than in the first', () => {
    const quarter = (from: number) =>
      posts.filter(({ created_at }) => Math.floor(((created_at - NOW) / (730 * 86_400) + 1) * 4) === from).length
    expect(quarter(3)).toBeGreaterThan(quarter(0) * 1.6)
    expect(NOW - posts.at(-1)!.created_at).toBeLessThan(6 * 3600)
  })
})
