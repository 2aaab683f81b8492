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
]
