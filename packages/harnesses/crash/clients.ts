import { randomInt, randomUUID } from 'node:crypto'
import { type Answer, type Connection, connect } from '../kit/connection.ts'
import type { Person } from '../kit/people.ts'
import { type Bookmarked, type History, pair, type Text, type Toggle } from './history.ts'

/** Every n-th comment and reaction has an Idempotency-Key; posts always do. */
const KEYED = 2

const succeeded = ({ status }: Answer) => status === 200 || status === 201

interface Client {
  readonly person: Person
  readonly connection: Connection
}

const noteOddity = (history: History, what: string, { status, body }: Answer) => {
  if (history.databaseGoes && status === 503) return
  history.oddities.push({ what, status, code: body?.code })
}

/** Sends a text, or repeats it; returns whether there was a response. */
const sendText = async ({ connection }: Client, history: History, text: Text): Promise<Answer | null> => {
  const again = history.texts.includes(text)
  const path = text.kind === 'post' ? '/feeds' : `/feeds/${text.feed}/comments`
  const body = text.kind === 'post' ? { message: text.text } : { comment: text.text }
  if (!again) history.texts.push(text)
  const answer = await connection.send('POST', path, body, text.key ?? undefined)
  if (!answer) return null
  if (!succeeded(answer)) {
    noteOddity(history, text.kind, answer)
    return answer
  }
  const id = (answer.body?.data?.id ?? null) as number | null
  if (text.id !== null && id !== null && text.id !== id) history.oddities.push({ what: 'another id', status: answer.status, code: id })
  text.id ??= id
  text.fate = 'acknowledged'
  return answer
}

const newText = (client: Client, kind: Text['kind'], feed: number | null): Text => ({
  kind,
  text: `${kind} ${randomUUID()}`,
  author: client.person.id,
  feed,
  key: kind === 'post' || randomInt(KEYED) === 0 ? randomUUID() : null,
  fate: 'unknown',
  id: null,
})

const toggleOf = (history: History, user: number, feed: number): Toggle => {
  const known = history.toggles.get(pair(user, feed)) ?? { user, feed, done: 0, pending: null }
  history.toggles.set(pair(user, feed), known)
  return known
}

const react = async ({ connection }: Client, history: History, toggle: Toggle, key: string): Promise<Answer | null> => {
  toggle.pending = key
  const answer = await connection.send('POST', `/feeds/${toggle.feed}/react`, { type: 'like' }, key || undefined)
  if (!answer) return null
  if (!succeeded(answer)) {
    noteOddity(history, 'reaction', answer)
    return answer
  }
  toggle.pending = null
  toggle.done += 1
  const { action } = answer.body?.data ?? {}
  const expected = toggle.done % 2 === 1 ? 'added' : 'removed'
  if (action !== undefined && action !== expected) noteOddity(history, `reaction ${action}, not ${expected}`, answer)
  return answer
}

const bookmark = async ({ connection }: Client, history: History, entry: Bookmarked): Promise<Answer | null> => {
  history.bookmarks.set(pair(entry.user, entry.feed), entry)
  const answer = await connection.send('POST', `/feeds/${entry.feed}/react`, { react_type: 'bookmark' })
  if (!answer) return null
  if (succeeded(answer)) entry.fate = 'acknowledged'
  else noteOddity(history, 'bookmark', answer)
  return answer
}

const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T

/** A random write of this client: mostly comments on few feeds, so that clients conflict. */
const writeOnce = (client: Client, history: History, feeds: readonly number[]): Promise<Answer | null> => {
  const { id } = client.person
  const feed = pick(feeds)
  const chance = randomInt(100)
  if (chance < 40) return sendText(client, history, newText(client, 'comment', feed))
  if (chance < 60) return sendText(client, history, newText(client, 'post', null))
  if (chance < 85) {
    const toggle = toggleOf(history, id, feed)
    if (toggle.pending === null) return react(client, history, toggle, randomInt(KEYED) === 0 ? randomUUID() : '')
  }
  const posts = history.texts.slice(-500).filter(({ kind, id: post }) => kind === 'post' && post !== null)
  const target = posts.length > 0 ? (pick(posts).id as number) : feed
  if (history.bookmarks.has(pair(id, target))) return sendText(client, history, newText(client, 'comment', feed))
  return bookmark(client, history, { user: id, feed: target, fate: 'unknown' })
}

/** Lets all clients write until the server is down. `acked` is called for each acknowledgement. */
export const writeUntilServerStops = async (
  base: string,
  people: readonly Person[],
  feeds: readonly number[],
  history: History,
  acked: () => void,
): Promise<void> => {
  await Promise.all(
    people.map(async (person) => {
      const client = { person, connection: connect(base, person.authorization) }
      for (;;) {
        const answer = await writeOnce(client, history, feeds)
        if (!answer) break
        if (succeeded(answer)) {
          history.acknowledged += 1
          acked()
        }
      }
      history.unanswered += 1
      client.connection.close()
    }),
  )
}

/** After a restart: repeats unanswered writes that have a key, and looks the others up. */
export const resolveUnanswered = async (base: string, people: readonly Person[], history: History): Promise<void> => {
  await Promise.all(
    people.map(async (person) => {
      const client = { person, connection: connect(base, person.authorization) }
      const again = (answer: Answer | null) => {
        if (!answer) throw new Error('the server is gone again')
        if (answer.replayed) history.happened += 1
      }
      for (const text of history.texts) {
        if (text.author === person.id && text.fate === 'unknown' && text.key !== null) again(await sendText(client, history, text))
      }
      for (const toggle of history.toggles.values()) {
        if (toggle.user !== person.id || toggle.pending === null) continue
        if (toggle.pending !== '') {
          again(await react(client, history, toggle, toggle.pending))
          continue
        }
        const answer = await client.connection.send('GET', `/feeds/${toggle.feed}/by-id`)
        const present = answer?.body?.data?.has_user_react === 'like'
        if (answer?.status !== 200) throw new Error(`feed ${toggle.feed} is answered with ${answer?.status}`)
        if (present !== (toggle.done % 2 === 1)) {
          toggle.done += 1
          history.happened += 1
        }
        toggle.pending = null
      }
      for (const entry of history.bookmarks.values()) {
        if (entry.user !== person.id || entry.fate !== 'unknown') continue
        const { oddities } = history
        const before = oddities.length
        const answer = await bookmark(client, history, entry)
        if (answer?.status === 400 && answer.body?.code === 'already_bookmarked') {
          oddities.length = before
          entry.fate = 'acknowledged'
          history.happened += 1
        }
      }
      client.connection.close()
    }),
  )
}

/** Repeats acknowledged writes with their keys: each must get its first response. Returns the number that do not. */
export const repeatAcknowledged = async (base: string, people: readonly Person[], history: History, most: number): Promise<number> => {
  const keyed = history.texts.filter(({ key, fate }) => key !== null && fate === 'acknowledged')
  const chosen = keyed.filter((_, i) => i % Math.ceil(keyed.length / most) === 0)
  let wrong = 0
  for (const person of people) {
    const client = { person, connection: connect(base, person.authorization) }
    for (const text of chosen) {
      if (text.author !== person.id) continue
      const answer = await sendText(client, history, text)
      if (!answer?.replayed) wrong += 1
    }
    client.connection.close()
  }
  return wrong
}
