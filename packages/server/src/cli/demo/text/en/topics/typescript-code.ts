import type { CodeCase } from '../../types.ts'
import { lines } from '../../words.ts'

export const typescriptCode: CodeCase[] = [
  {
    titles: lines(`
      [Small|Tiny] helper for exhaustive switches
      Never forget a union member again
      How we check switches over {thing}`),
    intro: lines(`
      This is the [helper|pattern] I end up copying into every project, {where}:
      We had a bug because a new state was added and nobody noticed the missing case. Since then:`),
    fence: 'ts',
    code: [
      `type Job = { state: 'queued' } | { state: 'running'; since: Date } | { state: 'failed'; reason: string }

function label(job: Job): string {
  switch (job.state) {
    case 'queued':
      return 'waiting'
    case 'running':
      return \`running since \${job.since.toISOString()}\`
    case 'failed':
      return job.reason
    default:
      return unreachable(job)
  }
}

function unreachable(value: never): never {
  throw new Error(\`unexpected: \${JSON.stringify(value)}\`)
}`,
      `const handlers = {
  created: (id: number) => \`created \${id}\`,
  removed: (id: number) => \`removed \${id}\`,
} satisfies Record<EventName, (id: number) => string>

// adding a name to EventName now fails right here
type EventName = 'created' | 'removed'`,
    ],
    outro: lines(`
      Add a fourth state and the compiler points at the line. How do you do it?
      Simple, but it has found {2-9} bugs for us so far.
      Is there anything nicer by now?`),
    answers: lines(`
      We do the same, only that ours logs instead of throwing, because old clients may send new states.
      A record instead of the switch gives you the same check with less code.
      The linter has a rule for this, then you do not need the default branch at all.
      Nice. I would put the value’s type into the message as well.`),
  },
  {
    titles: lines(`
      Typing an event emitter without any
      Why does this generic lose its type?
      Generic keys and values: what am I doing wrong?`),
    intro: lines(`
      I [want to|am trying to] {goal}. This compiles, but \`payload\` is a union of everything:
      Reduced from about {200-900} lines. The call at the bottom should be an error, and is not:`),
    fence: 'ts',
    code: [
      `type Events = { login: { userId: number }; logout: { reason: string } }

function on(name: keyof Events, listener: (payload: Events[keyof Events]) => void) {
  listeners.push({ name, listener })
}

on('login', (payload) => {
  console.log(payload.userId) // error: userId does not exist on ...
})`,
      `function setValue<T>(target: T, key: keyof T, value: T[keyof T]): void {
  target[key] = value
}

const user = { name: 'Ada', age: 36 }
setValue(user, 'age', 'thirty-six') // no error?!`,
    ],
    outro: lines(`
      What would the signature have to look like?
      I have read the handbook chapter {2-5} times and still do not see it.
      Solutions without a cast preferred.`),
    answers: lines(`
      You need a second type parameter: \`<K extends keyof Events>(name: K, listener: (payload: Events[K]) => void)\`. Then the key and the payload are tied together.
      \`T[keyof T]\` is the union of all values. With \`K extends keyof T\` and \`T[K]\` it is the one you mean.
      Rule of thumb: a relation between two parameters needs a type parameter that occurs in both.
      Works in the playground with the extra parameter, I tried.`),
  },
  {
    titles: lines(`
      Branded ids: worth the noise?
      Mixing up user id and post id for the last time
      Branded types {where}: how I do it`),
    intro: lines(`
      {Time*} I passed a post id where a user id was expected. Both numbers, no complaint. So now we have this:
      The smallest version of branded types that I could come up with:`),
    fence: 'ts',
    code: [
      `declare const brand: unique symbol
type Id<Name extends string> = number & { readonly [brand]: Name }

export type UserId = Id<'user'>
export type PostId = Id<'post'>

export function parseId<Name extends string>(text: string): Id<Name> | undefined {
  const value = Number(text)
  return Number.isSafeInteger(value) && value > 0 ? (value as Id<Name>) : undefined
}`,
      `type Cents = number & { readonly unit: 'cents' }

const cents = (value: number) => Math.round(value) as Cents
const add = (a: Cents, b: Cents) => (a + b) as Cents

const total = add(cents(1999), cents(350))
// add(19.99, 3.5) no longer compiles`,
    ],
    outro: lines(`
      One cast, in one place. Do you use something like this, or is it overkill?
      The team is split. What are your experiences?
      At runtime it is still a plain number, so JSON just works.`),
    answers: lines(`
      We use it for ids and money, nothing else. Worth it.
      The noise in test fixtures is what killed it for us.
      Nice touch to parse and brand in the same function.
      A class per id would be worse. This is the sweet spot.`),
  },
  {
    titles: lines(`
      Retry with back-off in {12-25} lines
      My [favourite|most copied] utility: retry
      Review my retry function, please`),
    intro: lines(`
      For calls to a service that is [sometimes|often] not in the mood. [Comments welcome.|What would you change?]
      I have removed a dependency in favour of this. Am I missing an edge case?`),
    fence: 'ts',
    code: [
      `export async function retry<T>(run: () => Promise<T>, attempts = 4, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      signal?.throwIfAborted()
      if (attempt >= attempts) throw error
      const wait = 100 * 2 ** attempt
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}`,
    ],
    outro: lines(`
      Jitter is missing, I know.
      Runs {where} since {span}.`),
    answers: lines(`
      Please add jitter, otherwise all clients come back at the same moment.
      It retries on every error. A 400 will not get better by asking again.
      The wait ignores the signal. If I abort during the back-off it still sleeps.
      Nice and short. I would take an options object instead of positional arguments.`),
  },
  {
    titles: lines(`
      tsconfig for {thing}: what am I missing?
      The tsconfig I start every project with
      Strictest sensible tsconfig?`),
    intro: lines(`
      After {span} of collecting flags, this is what is left:
      Used {where}. No build step, the files run as they are:`),
    fence: 'json',
    code: [
      `{
  "compilerOptions": {
    "target": "es2024",
    "module": "nodenext",
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true,
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true,
    "noEmit": true
  }
}`,
    ],
    outro: lines(`
      Anything you would add or drop?
      exactOptionalPropertyTypes is the one that hurts most. Worth it?`),
    answers: lines(`
      I would add noFallthroughCasesInSwitch, it is free.
      exactOptionalPropertyTypes we turned off again, too many libraries are not ready.
      isolatedModules, if anything else than tsc ever touches the files.
      Looks good. skipLibCheck saves you from other people’s mistakes.`),
  },
  {
    titles: lines(`
      groupBy without a library
      Object.groupBy and its types
      Grouping with types that hold`),
    intro: lines(`
      We had {3-9} versions of this in the code base, each one a bit different. Now there is one:
      I expected the built-in one to do this, and its value type surprised me. So, for comparison:`),
    fence: 'ts',
    code: [
      `export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}`,
      `const byAuthor = Object.groupBy(posts, (post) => post.author)
//    ^? Partial<Record<string, Post[]>>

const mine = byAuthor['ada'] ?? []`,
    ],
    outro: lines(`
      Map or object, what do you prefer?
      The Partial is correct, of course. It only took me a moment.`),
    answers: lines(`
      Map, because keys need not be strings and insertion order is honest.
      Partial is the right type: nobody promises that the key is there.
      \`Map.groupBy\` exists as well, then you do not need your own.
      I would make the parameter \`readonly\` or Iterable, as you did. Good.`),
  },
  {
    titles: lines(`
      Errors as values: is this too much?
      A tiny Result type, and what it cost us
      Result instead of throw, {where}`),
    intro: lines(`
      For {span} we have used this in one module, as an experiment:
      Exceptions do not show up in the signature, and that bit us {2-6} times. So we tried:`),
    fence: 'ts',
    code: [
      `type Result<T, E> = { ok: true; value: T } | { ok: false; error: E }

const ok = <T>(value: T): Result<T, never> => ({ ok: true, value })
const fail = <E>(error: E): Result<never, E> => ({ ok: false, error })

function parsePort(text: string): Result<number, 'not_a_number' | 'out_of_range'> {
  const port = Number(text)
  if (!Number.isInteger(port)) return fail('not_a_number')
  return port > 0 && port < 65_536 ? ok(port) : fail('out_of_range')
}`,
    ],
    outro: lines(`
      The call sites became longer and the bugs fewer. Would you go on?
      Where do you draw the line between a Result and an exception?`),
    answers: lines(`
      Expected failures as values, bugs as exceptions. That line has worked for us.
      Do not build a whole library of map and flatMap around it, please.
      I like that the error is a union of strings, the switch at the end is exhaustive.
      We did it everywhere and took it back everywhere except at the edges.`),
  },
  {
    titles: lines(`
      Typed routes in {15-35} lines
      Template literal types that are useful for once
      Extracting path parameters from a string`),
    intro: lines(`
      I always thought template literal types were a toy. Then I wanted to {goal}, and this fell out:
      No library, no code generation, and the editor completes the parameter names:`),
    fence: 'ts',
    code: [
      `type Params<Path extends string> =
  Path extends \`\${string}:\${infer Name}/\${infer Rest}\` ? Name | Params<Rest>
  : Path extends \`\${string}:\${infer Name}\` ? Name
  : never

function href<Path extends string>(path: Path, params: Record<Params<Path>, string | number>): string {
  return path.replace(/:(w+)/g, (_, name: Params<Path>) => String(params[name]))
}

href('/spaces/:space/posts/:id', { space: 'garden', id: 7 })`,
    ],
    outro: lines(`
      The compiler does not seem to mind, even with {80-400} routes.
      Is there a case that breaks it? I have not found one.`),
    answers: lines(`
      Optional segments break it, ours have a question mark. One more branch and it works.
      Encode the values! \`encodeURIComponent\`, otherwise a slash ruins your day.
      This is where that feature shines.
      Nice. I would put a test with an expected error next to it.`),
  },
  {
    titles: lines(`
      A test that fails for the right reason
      Async test passes although it should not?
      Why did this test never fail?`),
    intro: lines(`
      This test was green for {span}, while the feature was broken. Spot the mistake:
      A colleague found this {time}. It has never tested anything:`),
    fence: 'ts',
    code: [
      `test('refuses an empty title', () => {
  expect(createPost({ title: '' })).rejects.toThrow('title')
})`,
      `test('sends one mail each', async () => {
  users.forEach(async (user) => {
    await notify(user)
    expect(outbox.sentTo(user)).toHaveLength(1)
  })
})`,
    ],
    outro: lines(`
      We have a linter rule for it now, and it found {3-14} more.
      Once you see it you cannot unsee it.`),
    answers: lines(`
      The missing await! Rule for floating promises, on error, for ever.
      I make every new test fail once before I believe it.
      Ouch. We had the same with forEach.
      That is the kind of bug a type checker with the right rule finds in a second.`),
  },
]
