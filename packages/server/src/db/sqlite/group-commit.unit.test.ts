import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DatabaseUnavailable, type Db } from '../database.ts'
import { runText } from '../sql/statement.ts'
import { kyselyOn } from './database.ts'
import { createGroupCommit } from './group-commit.ts'

let connection: Sqlite.Database
let queue: ReturnType<typeof createGroupCommit>
/** The syncs that are under way, to be ended by the test. */
let syncs: { readonly end: () => void; readonly fail: (error: Error) => void }[]

beforeEach(() => {
  connection = new Sqlite(':memory:')
  connection.exec('create table notes (id integer primary key, text text not null)')
  syncs = []
  queue = createGroupCommit(connection, kyselyOn(connection), {
    unavailable: (error) => new DatabaseUnavailable(error),
    committing: () => {},
    committed: () => {},
    sync: () => new Promise((resolve, reject) => syncs.push({ end: resolve, fail: reject })),
  })
})
afterEach(() => connection.close())

const note = (text: string) => (db: Db) => runText(db, 'insert into notes (text) values ($1)', [text])
const look = (db: Db) => runText<{ text: string }>(db, 'select text from notes', [])
const notes = () => connection.prepare('select text from notes order by id').pluck().all()
const turns = async (count = 5) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

/** Tells whether a promise has ended by now. */
const watch = (promise: Promise<unknown>) => {
  const seen = { answered: false, refused: false }
  promise.then(
    () => {
      seen.answered = true
    },
    () => {
      seen.refused = true
    },
  )
  return seen
}

describe('a write', () => {
  test('resolves once it is on the disk, and not before', async () => {
    const first = watch(queue.write(note('a')))
    await turns()
    expect([notes(), syncs.length, first.answered]).toEqual([['a'], 1, false])
    syncs[0]?.end()
    await turns()
    expect(first.answered).toBe(true)
  })

  test('that changed nothing waits until the data it read are durable', async () => {
    const first = watch(queue.write(note('a')))
    await turns()
    const second = watch(queue.write(look))
    const settled = watch(queue.settled())
    await turns()
    expect([second.answered, settled.answered]).toEqual([false, false])
    syncs[0]?.end()
    await turns()
    expect([first.answered, settled.answered]).toEqual([true, true])
    syncs[1]?.end()
    await turns()
    expect(second.answered).toBe(true)
    await queue.write(look)
    expect(syncs.length).toBeLessThanOrEqual(2)
  })

  test('runs during the previous sync if many wait, and shares the next one', async () => {
    const first = watch(queue.write(note('a')))
    await turns()
    const more = Array.from({ length: 20 }, (_, i) => watch(queue.write(note(`b${i}`))))
    await turns()
    expect([notes().length, syncs.length, first.answered]).toEqual([21, 1, false])
    syncs[0]?.end()
    await turns()
    expect([first.answered, more.some(({ answered }) => answered), syncs.length]).toEqual([true, false, 2])
    syncs[1]?.end()
    await turns()
    expect(more.every(({ answered }) => answered)).toBe(true)
  })

  test('takes precedence over background writes, which get a share of each commit', async () => {
    const order: string[] = []
    const enter = (name: string) => async () => void order.push(name)
    const background = Array.from({ length: 40 }, (_, i) => queue.write(enter(`job ${i}`), 'background'))
    const requests = Array.from({ length: 20 }, (_, i) => queue.write(enter(`request ${i}`)))
    await Promise.all([...background, ...requests])
    expect(order.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, i) => `request ${i}`))
    expect(order.slice(20)).toEqual(Array.from({ length: 40 }, (_, i) => `job ${i}`))
    expect(queue.figures().commits).toBe(3)
  })

  test('does not wait for the rest of a long batch of background writes', async () => {
    const order: string[] = []
    let asked: Promise<unknown> | undefined
    const job = (name: string) => async (db: Db) => {
      asked ??= queue.write(async () => void order.push('request'))
      order.push(name)
      for (const end = performance.now() + 25; performance.now() < end; );
      await note(name)(db)
    }
    const jobs = ['job 1', 'job 2', 'job 3'].map((name) => queue.write(job(name), 'background'))
    while (notes().length < 3) {
      await turns(1)
      for (const sync of syncs) sync.end()
    }
    await Promise.all([...jobs, asked])
    expect(order).toEqual(['job 1', 'request', 'job 2', 'job 3'])
    expect(notes()).toEqual(['job 1', 'job 2', 'job 3'])
  })
})

describe('a write that fails', () => {
  const failing =
    (...work: readonly ((db: Db) => Promise<unknown>)[]) =>
    async (db: Db) => {
      for (const part of work) await part(db)
      throw new Error('changed my mind')
    }
  const makeTable = (db: Db) => runText(db, 'create table made (id integer)', [])
  const outcomesOf = async (...works: readonly ((db: Db) => Promise<unknown>)[]) => {
    const outcomes = Promise.allSettled(works.map((work) => queue.write(work)))
    await turns()
    for (const sync of syncs) sync.end()
    return (await outcomes).map(({ status }) => status)
  }

  test('before it changed anything runs once, and so do the others in its batch', async () => {
    const order: string[] = []
    const enter = (name: string) => async (db: Db) => {
      order.push(name)
      await note(name)(db)
    }
    expect(await outcomesOf(enter('a'), failing(), enter('b'))).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect([order, notes()]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
  })

  test('after a change is rolled back, and the others in its batch are not', async () => {
    expect(await outcomesOf(note('a'), failing(note('b')), note('c'))).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(notes()).toEqual(['a', 'c'])
  })

  test('after it created a table leaves none', async () => {
    expect(await outcomesOf(note('a'), failing(makeTable), note('c'))).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(notes()).toEqual(['a', 'c'])
    expect(connection.prepare(`select name from sqlite_schema where name = 'made'`).all()).toEqual([])
  })
})

test('a few writes resolve immediately on a fast disk', async () => {
  let quick = 0
  const swift = createGroupCommit(connection, kyselyOn(connection), {
    unavailable: (error) => error,
    committing: () => {},
    committed: () => {},
    sync: () => Promise.reject(new Error('nobody asked for it')),
    syncAtOnce: () => {
      quick += 1
      return true
    },
  })
  await Promise.all([swift.write(note('a')), swift.write(note('b'))])
  await swift.write(look)
  expect([notes(), quick]).toEqual([['a', 'b'], 1])
})

test('once a sync has failed, nothing is acknowledged any more', async () => {
  const first = queue.write(note('a'))
  await turns()
  syncs[0]?.fail(new Error('the disk is gone'))
  await expect(first).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(queue.write(note('b'))).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(queue.settled()).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(notes()).toEqual(['a'])
  expect([queue.refusal(), queue.isBroken()]).toEqual(['service_unavailable', true])
})

test('a full disk rejects writes until one fits', async () => {
  connection.pragma(`max_page_count = ${connection.pragma('page_count', { simple: true })}`)
  const full = createGroupCommit(connection, kyselyOn(connection), {
    unavailable: (error) => (error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(error, true)),
    committing: () => {},
    committed: () => {},
    sync: async () => {},
  })
  await expect(full.write(note('x'.repeat(20_000)))).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(full.isBroken()).toBe(false)
  connection.pragma('max_page_count = 1000')
  await full.write(note('a'))
  expect([full.refusal(), notes()]).toEqual([null, ['a']])
})

test('work between two transactions delays writes until it is done', async () => {
  let end = () => {}
  const pause = queue.between(
    () =>
      new Promise((resolve) => {
        end = resolve
      }),
  )
  await turns()
  void queue.write(note('a'))
  await turns()
  expect(notes()).toEqual([])
  end()
  await pause
  await turns()
  expect(notes()).toEqual(['a'])
  syncs[0]?.end()
})
