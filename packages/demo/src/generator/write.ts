import type { Names } from '../people.ts'
import { mix, type Random } from '../random.ts'
import { createWriter, type PostText } from '../text.ts'
import type { Comments } from './comments.ts'
import { pickMember, presentAt, type Society } from './membership.ts'
import { kindOf, type Posts } from './posts.ts'

/** What is needed to find the words. */
export interface Scene {
  seed: number
  names: Names
  society: Society
  posts: Posts
  comments: Comments
}

/** Decides what a post is about. */
export const frameOf = (seed: number, post: number) => mix(seed ^ 0xf4a3e, post)

/** Posts have to be written in order: titles do not repeat earlier ones. */
export function postWriter(scene: Scene): (index: number) => PostText {
  const writer = createWriter()
  const { seed, posts } = scene
  return (index) =>
    writer.post({
      frame: frameOf(seed, index),
      topic: posts.topic[index]!,
      kind: kindOf(posts, index),
      mention: mentionIn(scene, posts.space[index]!, posts.beat[index]!, posts.author[index]!),
    })
}

export function commentWriter(scene: Scene): (index: number) => string {
  const writer = createWriter()
  const { seed, names, posts, comments } = scene
  return (index) => {
    const post = comments.post[index]!
    const author = comments.author[index]!
    const parent = comments.parent[index]!
    const answered = parent < 0 ? posts.author[post]! : comments.author[parent]!
    const own = author === posts.author[post] && answered !== author
    const commentSeed = mix(seed ^ 0xc033e, index)
    return writer.comment({
      frame: frameOf(seed, post),
      topic: posts.topic[post]!,
      kind: kindOf(posts, post),
      seed: commentSeed,
      ordinal: comments.ordinal[index]!,
      reply: parent >= 0,
      own,
      op: parent >= 0 || commentSeed % 5 < 2 ? `@${names.usernames[answered]!}` : names.firstNames[answered]!,
      mention: mentionIn(scene, posts.space[post]!, comments.beat[index]!, author),
    })
  }
}

/** Names somebody else who was there at the time. */
function mentionIn({ society, names }: Scene, space: number, beat: number, author: number): (random: Random) => string {
  return (random) => {
    const present = presentAt(society, space, beat)
    let member = author
    for (let tries = 0; tries < 8 && member === author; tries++) member = pickMember(society, space, present, random.float())
    return `@${names.usernames[member]!}`
  }
}
