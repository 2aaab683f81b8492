import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const files = [
  'packages/*/src/**/*.{ts,tsx}',
  'packages/*/{test,test-support}/**/*.ts',
  'packages/harnesses/**/*.ts',
  'e2e/*.ts',
  'bench/*.ts',
  'scripts/**/*.ts',
]
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((path) => !path.includes('/generated/'))

/** Unclear words, each with the standard term. */
const IN_FILE_NAMES: Readonly<Record<string, string>> = {
  kept: 'cache, cached',
  hold: 'lock',
  holds: 'locks, moderation-holds',
  forget: 'erase',
  tell: 'notify',
  told: 'notified',
  said: 'text, message',
  hear: 'listen',
  hearings: 'audience',
  sight: 'visibility',
  crowds: 'queue',
  shelf: 'columns',
  places: 'slots, semaphore',
  doing: 'optimistic',
  beside: 'sidebar',
  letters: 'mail-texts',
  windows: 'periods',
  marks: 'viewer-state',
  looks: 'theme, poll',
  chores: 'cleanup',
  ears: 'channels, stream-client',
  happenings: 'scenario',
  lies: 'misbehaviors',
  ordeal: 'run-fault',
  figures: 'metrics, results',
  colour: 'color',
  colours: 'colors',
  serialise: 'serialize',
}
/** Prefixes that no exported name may have. */
const IN_EXPORTS =
  /^export (?:const|function|interface|type) ((?:whenWanted|onceFor|forget[A-Z]|settle[A-Z]|Asked|Caused\b|Followed\b|FOLLOWED\b|Kept\b|Standing\b|Chore\b|Told\b|Heard\b|Ears?\b|Keeping\b|Answering\b|WhenWanted\b|Refusal\b|NotAlone\b|PersonNames|Zipped\b|Lies?\b|LIES\b|suffer\b|whisper\b|happen\b|untold\b|keepCourse|dropParked\b|sameAnswers\b|letGo\b|marksOf\b)\w*)/gm

const ALLOWED = new Set<string>(['moderation-holds'])

const wordsOf = (path: string) =>
  basename(path)
    .replace(/(\.unit)?(\.test)?\.tsx?$/, '')
    .split('-')

test('files are named by the terms of the field', () => {
  expect(files.length).toBeGreaterThan(1000)
  const found = files.flatMap((path) => {
    const name = basename(path).replace(/(\.unit)?(\.test)?\.tsx?$/, '')
    if (ALLOWED.has(name)) return []
    return wordsOf(path).flatMap((word) => (Object.hasOwn(IN_FILE_NAMES, word) ? [`${path}: ${word} → ${IN_FILE_NAMES[word]}`] : []))
  })
  expect(found).toEqual([])
})

test('exported names use the terms of the field', () => {
  const found = files.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(IN_EXPORTS)].map(([, name]) => `${path}: ${name}`),
  )
  expect(found).toEqual([])
})
