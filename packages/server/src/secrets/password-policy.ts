import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replacing } from '@lyceum/content'
import { lazy } from '@lyceum/content/lazy'
import { PACKAGE_FOLDER } from '../util/package-root.ts'

const MIN_PASSWORD_LENGTH = 10
export const MAX_PASSWORD_LENGTH = 256

const wordsOf = (name: string) =>
  lazy(
    (): ReadonlySet<string> =>
      new Set(
        readFileSync(join(PACKAGE_FOLDER, 'data', name), 'utf8')
          .trim()
          .split('\n'),
      ),
  )

/** Frequent passwords of the minimum length. */
export const commonPasswords = wordsOf('common-passwords.txt')
/** Words that stay easy to guess with a few digits or symbols around them. */
const commonWords = wordsOf('common-words.txt')

/** Rows of adjacent keys. Runs along these, in either direction, are easy to guess. */
const KEY_LINES = (
  '1234567890 0987654321 qwertyuiop asdfghjkl zxcvbnm qwertzuiop yxcvbnm azertyuiop qsdfghjklm wxcvbn ' +
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p qazwsxedcrfvtgbyhnujmikolp 1q2w3e4r5t6y7u8i9o0p q1w2e3r4t5y6u7i8o9p0 qawsedrftgyhujikolp !@#$%^&*() !"#$%&/()='
).split(' ')
const LINES = KEY_LINES.flatMap((line) => [line, [...line].reverse().join('')])

/** Number of characters that a run or decorations may leave without making a password hard to guess. */
const LEFT_OVER = 3
const DECORATION = 6

const unleet = replacing('0o 1i 3e 4a 5s 7t @a $s !i |l')

/** Length of the run that starts at `from`: adjacent letters, digits or keys, or a repeated character. */
const runLength = (text: string, from: number): number => {
  const step = text.charCodeAt(from + 1) - text.charCodeAt(from)
  let length = 1
  if (Math.abs(step) <= 1) while (text.charCodeAt(from + length) - text.charCodeAt(from + length - 1) === step) length += 1
  for (const line of LINES) {
    let along = length
    while (from + along < text.length && line.includes(text.slice(from, from + along + 1))) along += 1
    length = Math.max(length, along)
  }
  return length
}

const isMostlyRuns = (text: string): boolean => {
  let leftOver = 0
  for (let at = 0; at < text.length; ) {
    const length = runLength(text, at)
    if (length < 3) leftOver += 1
    at += length < 3 ? 1 : length
    if (leftOver > LEFT_OVER) return false
  }
  return true
}

/** A shorter text repeated: `abcabcabcabc`, `hello1hello1`. */
const isRepeated = (text: string): boolean => {
  for (let period = 1; period < MIN_PASSWORD_LENGTH && period <= text.length / 2; period += 1) {
    let at = period
    while (at < text.length && text[at] === text[at - period]) at += 1
    if (at === text.length) return true
  }
  return false
}

const isCommon = (text: string): boolean => {
  if (commonPasswords().has(text)) return true
  const core = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  if (text.length - core.length <= DECORATION && commonWords().has(core)) return true
  // p@ssw0rd2024: replaces digits and symbols by letters, after removing trailing decorations.
  const plain = unleet(text.replace(/[\d\p{P}\p{S}]{0,6}$/u, ''))
  return commonPasswords().has(plain) || commonWords().has(plain) || commonPasswords().has(unleet(text))
}

/** The name itself, or the name with a few characters around it. */
const isBuiltOn = (text: string, name: string): boolean =>
  name.length >= 3 && (text === name || (text.includes(name) && text.replaceAll(name, '').length <= LEFT_OVER))

/**
 * What is wrong with a new account password, as a sentence, or null. The minimum length counts visible characters, the maximum UTF-16
 * units.
 */
export const passwordProblem = (password: string, { username, email }: { username: string; email: string }): string | null => {
  if ([...password].length < MIN_PASSWORD_LENGTH) return `The password needs at least ${MIN_PASSWORD_LENGTH} characters.`
  if (password.length > MAX_PASSWORD_LENGTH) return `The password may have at most ${MAX_PASSWORD_LENGTH} characters.`
  const text = password.normalize('NFKC').toLowerCase()
  const [mail, name] = [email.toLowerCase(), username.toLowerCase()]
  if ([mail, mail.slice(0, Math.max(0, mail.indexOf('@'))), name].some((known) => isBuiltOn(text, known)))
    return 'The password must not be your username or email address.'
  if (isCommon(text)) return 'This password is one of the most common ones. Choose another.'
  if (new Set(text).size < 4 || isRepeated(text) || isMostlyRuns(text))
    return 'This password is easy to guess: it repeats itself or follows the alphabet or the keyboard. Choose another.'
  return null
}
