import { parentPort, workerData } from 'node:worker_threads'
import { type ContentType, ftsDocument, render, slugify, slugSource } from '@lyceum/content'
import { searchText } from '../../../server/src/modules/feeds/fields.ts'
import { commentWriter, postWriter } from '../generator/write.ts'
import { renamingOf } from './free-names.ts'
import { type CommentWords, MOST_AHEAD, type Portion, type PostWords, STOPPED, TAKEN, type Task, WRITTEN } from './words.ts'

const PORTION = { posts: 1000, comments: 2000 }

const { scene, renamed, flow } = workerData as Task
const renaming = renamingOf(scene.names.usernames, new Map(renamed))

const isStopped = () => Atomics.load(flow, STOPPED) === 1

const send = (portion: Portion) => {
  parentPort?.postMessage(portion)
  const written = Atomics.add(flow, WRITTEN, 1) + 1
  for (let taken = Atomics.load(flow, TAKEN); !isStopped() && written - taken >= MOST_AHEAD; taken = Atomics.load(flow, TAKEN))
    Atomics.wait(flow, TAKEN, taken)
}

const portions = <Row>(count: number, size: number, make: (index: number) => Row, use: (rows: Row[]) => void) => {
  for (let from = 0; from < count && !isStopped(); from += size)
    use(Array.from({ length: Math.min(size, count - from) }, (_, i) => make(from + i)))
}

const writePost = postWriter(scene)
const post = (index: number): PostWords => {
  const { survey, ...words } = writePost(index)
  const title = renaming.text(words.title)
  const message = renaming.text(words.message)
  const content_type: ContentType = survey ? 'survey' : words.content_type
  const html = render(message, content_type, { mentions: renaming.everybody })
  const slug = slugify(slugSource(title, message)) || 'feed'
  return { title, message, content_type, html, slug, document: ftsDocument(searchText({ title, message_rendered: html })), survey }
}

const writeComment = commentWriter(scene)
const comment = (index: number): CommentWords => {
  const text = renaming.text(writeComment(index))
  return { text, html: render(text, 'text', { mentions: renaming.everybody }) }
}

portions(scene.posts.count, PORTION.posts, post, (rows) => send({ of: 'posts', rows }))
portions(scene.comments.count, PORTION.comments, comment, (rows) => send({ of: 'comments', rows }))
