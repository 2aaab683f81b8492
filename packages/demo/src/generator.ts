import { commentCounts, createComments } from './generator/comments.ts'
import { createFollows } from './generator/follows.ts'
import { createSociety, ROLES, type Society } from './generator/membership.ts'
import { createPosts } from './generator/posts.ts'
import { createBookmarks, createReactions, createVotes, reactionType, votedOptions } from './generator/reactions.ts'
import type { Bookmark, Comment, Follow, Group, Member, Membership, Post, Reaction, Space, Topic, Vote } from './generator/rows.ts'
import { frameOf, type Scene } from './generator/write.ts'
import { nameAll, personAt } from './people.ts'
import { mix, seedFrom } from './random.ts'
import { GROUPS, spaceProfiles } from './spaces.ts'
import { KINDS } from './text/types.ts'
import { createTimeline, type Timeline } from './timeline.ts'
import { DEMO_TOPICS, topicsFor } from './topics.ts'

export interface GeneratorOptions {
  members: number
  spaces: number
  posts: number
  comments: number
  reactions: number
  seed: number | string
  /** The present, in unix seconds: the last of the two years that are generated. */
  now: number
}

export type Rows =
  | 'groups'
  | 'members'
  | 'spaces'
  | 'topics'
  | 'memberships'
  | 'follows'
  | 'posts'
  | 'comments'
  | 'reactions'
  | 'bookmarks'
  | 'votes'

export interface GeneratedCommunity {
  /** How many rows each list yields. */
  counts: Record<Rows, number>
  /** What was asked for and could not be had, in words; mostly empty. */
  shortfalls: string[]
  groups: Iterable<Group[]>
  members: Iterable<Member[]>
  spaces: Iterable<Space[]>
  topics: Iterable<Topic[]>
  memberships: Iterable<Membership[]>
  follows: Iterable<Follow[]>
  posts: Iterable<Post[]>
  comments: Iterable<Comment[]>
  reactions: Iterable<Reaction[]>
  bookmarks: Iterable<Bookmark[]>
  votes: Iterable<Vote[]>
  /** What the words of posts and comments are made from, by `postWriter` and `commentWriter`. */
  scene: Scene
}

const CHUNK = 1_000

/**
 * A whole community, by seed: the same options give the same one. The present only moves the moments; people, texts and their
 * order do not depend on it. Lists come in chunks that are made when asked for, in the order of time, and can be read repeatedly;
 * what is kept meanwhile is some 30 bytes a post, comment or reaction.
 */
export function generate(options: GeneratorOptions): GeneratedCommunity {
  const seed = seedFrom(options.seed)
  const timeline = createTimeline(seed, options.now)
  const names = nameAll(Math.max(1, options.members), seed)
  const profiles = spaceProfiles(options.spaces, seed)
  const society = createSociety(names, profiles, seed)
  const posts = createPosts(options.posts, names, profiles, society, seed)
  const commented = commentCounts(posts, society, options.comments, seed)
  const comments = createComments(posts, commented, names, society, seed)
  const reactions = createReactions(posts, comments, society, options.reactions, seed)
  const bookmarks = createBookmarks(posts, society, seed)
  const votes = createVotes(posts, society, reactions.count, seed)
  const follows = createFollows(society, seed)
  const scene: Scene = { seed, names, society, posts, comments }

  const lastBeat = posts.beat.slice()
  for (let i = 0; i < comments.count; i++) lastBeat[comments.post[i]!] = comments.beat[i]!
  const seen = lastSeen(society, [
    [posts.author, posts.beat],
    [comments.author, comments.beat],
    [reactions.user, reactions.beat],
    [follows.user, follows.beat],
  ])
  const postsOfSpace = new Int32Array(options.spaces)
  for (const space of posts.space) if (space >= 0) postsOfSpace[space]!++
  const memberships = inOrder(society)

  const postAt = (index: number): Post => {
    const kind = KINDS[posts.kind[index]!]!
    const space = posts.space[index]!
    return {
      author: posts.author[index]!,
      space: space < 0 ? null : space,
      type: kind === 'announcement' ? kind : kind === 'question' || kind === 'code' ? 'question' : 'feed',
      privacy: space >= 0 && kind !== 'announcement' && frameOf(seed, index) % 50 === 0 ? 'private' : 'public',
      topics: topicsFor(kind, space < 0 ? null : profiles[space]!.group, frameOf(seed, index)),
      comments_count: commented[index]!,
      reactions_count: reactions.postCounts[index]!,
      created_at: timeline.at(posts.beat[index]!),
      active_at: timeline.at(lastBeat[index]!),
    }
  }
  const commentAt = (index: number): Comment => ({
    author: comments.author[index]!,
    post: comments.post[index]!,
    parent: comments.parent[index]! < 0 ? null : comments.parent[index]!,
    reactions_count: reactions.commentCounts[index]!,
    created_at: timeline.at(comments.beat[index]!),
  })

  return {
    counts: {
      groups: GROUPS.length,
      members: names.usernames.length,
      spaces: profiles.length,
      topics: DEMO_TOPICS.length,
      memberships: memberships.length,
      follows: follows.count,
      posts: posts.count,
      comments: comments.count,
      reactions: reactions.count,
      bookmarks: bookmarks.count,
      votes: votes.count,
    },
    shortfalls: shortfalls(options, { comments: comments.count, reactions: reactions.count }),
    groups: [GROUPS],
    members: chunks(names.usernames.length, (index) => ({
      ...personAt(index, seed, names),
      created_at: timeline.at(society.memberSince[index]!),
      last_activity: timeline.at(seen[index]!),
    })),
    spaces: chunks(profiles.length, (index) => {
      const { topic: _topic, ...profile } = profiles[index]!
      return {
        ...profile,
        creator: society.creators[index]!,
        position: index,
        members_count: society.start[index + 1]! - society.start[index]!,
        posts_count: postsOfSpace[index]!,
        created_at: timeline.at(society.spaceSince[index]!),
      }
    }),
    topics: [
      DEMO_TOPICS.map(({ group, ...topic }) => ({
        ...topic,
        spaces: group === null ? null : profiles.flatMap((profile, index) => (profile.group === group ? [index] : [])),
      })),
    ],
    memberships: chunks(memberships.length, (index) => membershipAt(memberships[index]!, society, timeline)),
    follows: chunks(follows.count, (index) => ({
      follower: follows.user[index]!,
      following: follows.object[index]!,
      created_at: timeline.at(follows.beat[index]!),
    })),
    posts: chunks(posts.count, postAt),
    comments: chunks(comments.count, commentAt),
    scene,
    reactions: chunks(reactions.count, (index) => {
      const object = reactions.object[index]!
      const onPost = object < posts.count
      const post = onPost ? object : comments.post[object - posts.count]!
      return {
        user: reactions.user[index]!,
        object_type: onPost ? 'feed' : 'comment',
        object: onPost ? object : object - posts.count,
        post,
        type: reactionType(KINDS[posts.kind[post]!]!, mix(seed ^ 0x7e, index) / 4294967296),
        created_at: timeline.at(reactions.beat[index]!),
      }
    }),
    bookmarks: chunks(bookmarks.count, (index) => ({
      user: bookmarks.user[index]!,
      post: bookmarks.object[index]!,
      created_at: timeline.at(bookmarks.beat[index]!),
    })),
    votes: chunks(votes.count, (index) => {
      const post = votes.object[index]!
      return {
        user: votes.user[index]!,
        post,
        ...votedOptions(posts.topic[post]!, frameOf(seed, post), mix(seed ^ 0x70, index)),
        created_at: timeline.at(votes.beat[index]!),
      }
    }),
  }
}

/** Makes the rows anew each time that it is read. */
function chunks<Row>(count: number, make: (index: number) => Row): Iterable<Row[]> {
  return {
    *[Symbol.iterator]() {
      for (let from = 0; from < count; from += CHUNK) {
        const rows: Row[] = []
        for (let index = from; index < Math.min(count, from + CHUNK); index++) rows.push(make(index))
        yield rows
      }
    },
  }
}

function lastSeen(society: Society, traces: [Int32Array, Uint32Array][]): Uint32Array {
  const seen = society.memberSince.slice()
  for (const [members, beats] of traces) {
    // beats rise, so the last one is the latest
    for (let i = 0; i < members.length; i++) if (beats[i]! > seen[members[i]!]!) seen[members[i]!] = beats[i]!
  }
  return seen
}

interface Joined {
  space: number
  at: number
}

function inOrder(society: Society): Joined[] {
  const list: Joined[] = []
  for (let space = 0; space < society.creators.length; space++) {
    for (let at = society.start[space]!; at < society.start[space + 1]!; at++) list.push({ space, at })
  }
  return list.sort((a, b) => society.since[a.at]! - society.since[b.at]!)
}

const membershipAt = ({ space, at }: Joined, society: Society, timeline: Timeline): Membership => ({
  space,
  member: society.member[at]!,
  role: ROLES[society.role[at]!]!,
  created_at: timeline.at(society.since[at]!),
})

function shortfalls(wanted: GeneratorOptions, made: { comments: number; reactions: number }): string[] {
  const said: string[] = []
  if (wanted.members < 1) said.push('A community has one member at least.')
  if (made.comments < wanted.comments) said.push(`${wanted.comments - made.comments} comments have no post to stand under.`)
  if (made.reactions < wanted.reactions) {
    said.push(
      `${wanted.reactions - made.reactions} reactions are left over: everybody has reacted to everything that they can see, but to their own.`,
    )
  }
  return said
}
