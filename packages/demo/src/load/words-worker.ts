import { parentPort, workerData } from 'node:worker_threads'
import { ftsDocument } from '../../../server/src/content/tokenizer.ts'
import { renamingOf } from '../insert/free-names.ts'
import { finishComment, finishPost } from '../insert/words.ts'
import { commentWriter, postWriter } from '../plan/write.ts'
import { type CommentWords, MOST_AHEAD, type Portion, type PostWords, TAKEN, type Task, WRITTEN } from './words.ts'

const PORTION = { comments: 2000, posts: 1000 }

const { scene, renamed, flow } = workerData as Task
const renaming = renamingOf(scene.names.usernames, new Map(renamed))

const send = (portion: Portion) => {
  parentPort?.postMessage(portion)
  const written = Atomics.add(flow, WRITTEN, 1) + 1
  for (let taken = Atomics.load(flow, TAKEN); written - taken >= MOST_AHEAD; taken = Atomics.load(flow, TAKEN))
    Atomics.wait(flow, TAKEN, taken)
}

const portions = <Row>(count: number, size: number, make: (index: number) => Row, use: (rows: Row[]) => void) => {
  for (let from = 0; from < count; from += size) use(Array.from({ length: Math.min(size, count - from) }, (_, i) => make(from + i)))
}

const writeComment = commentWriter(scene)
const comment = (index: number): CommentWords => finishComment(writeComment(index), renaming)

const writePost = postWriter(scene)
const post = (index: number): PostWords => {
  const { survey, ...words } = writePost(index)
  const { text, ...finished } = finishPost(words, survey !== null, renaming)
  return { ...finished, document: ftsDocument(text), survey }
}

portions(scene.comments.count, PORTION.comments, comment, (rows) => send({ of: 'comments', rows }))
portions(scene.posts.count, PORTION.posts, post, (rows) => send({ of: 'posts', rows }))
