import { DISPLAY_NAME_LENGTH } from '@lyceum/contract'
import { isMailAddress } from '@lyceum/mail/transport'
import unhomoglyph from 'unhomoglyph'
import { normalizeLogin } from '../../auth/authenticate.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { passwordProblem } from '../../secrets/password-policy.ts'

const USERNAME = /^[a-z0-9_-]{3,30}$/

const words = (text: string) => new Set(text.split(' '))

/** Names with a meaning in URLs or in text. */
const RESERVED = words(
  'me self you everyone everybody all here channel anonymous guest nobody none null undefined true false api www mail email ' +
    'account accounts auth login logout signin signup register registration setup session sessions password passwords ' +
    'forgot-password reset-password settings preferences profile profiles user users member members u follow-requests followers followings ' +
    'feed feeds post posts comment comments space spaces course courses lesson lessons quiz quizzes topic topics bookmark bookmarks ' +
    'notification notifications message messages activity activities leaderboard analytics moderation report reports webhook webhooks ' +
    'search explore home about terms privacy legal docs health metrics openapi assets static media uploads new edit delete',
)
/** Official-looking names; only operators may assign them. */
const OFFICIAL = words(
  'admin admins administrator administrators root superuser sysadmin system owner staff team moderator moderators mod mods manager managers ' +
    'lyceum postmaster webmaster hostmaster abuse security support help info contact noreply no-reply mailer-daemon',
)

/** Normalizes a username. Also used for look-ups, where a reserved name is just not found. @throws invalid_username */
export const readUsername = (input: string): string => {
  const username = normalizeLogin(input)
  if (!USERNAME.test(username)) throw new ApiError('invalid_username', { data: { field: 'username' } })
  return username
}

const DELETED_USERNAME = /^deleted-\d+$/
/** Domain of the placeholder addresses of deleted accounts. Reserved, since a clash would make a deletion fail. */
export const DELETED_DOMAIN = 'deleted.invalid'

/** Validates a username for registration or renaming. @throws invalid_username */
export const newUsername = (input: string, byOperator: boolean): string => {
  const username = readUsername(input)
  if (RESERVED.has(username) || DELETED_USERNAME.test(username) || (!byOperator && OFFICIAL.has(username)))
    throw new ApiError('invalid_username', { message: 'This username is reserved.', data: { field: 'username' } })
  return username
}

const HOST_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u

/** Normalizes and validates an email address. @throws invalid_email */
export const newEmail = (input: string): string => {
  const email = normalizeLogin(input)
  const host = email.slice(email.lastIndexOf('@') + 1)
  if (!isMailAddress(email) || host === DELETED_DOMAIN || !host.split('.').every((label) => HOST_LABEL.test(label)))
    throw new ApiError('invalid_email', { data: { field: 'email' } })
  return email
}

/** Invisible characters and bidirectional controls. Joiners are allowed, since scripts and emoji need them. */
const INVISIBLE =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]|\u034f/gu
/** Combining marks beyond two per letter overflow into other lines. */
const STACKED_MARKS = /(\p{M}{2})\p{M}+/gu
/** Symbols that look like a "verified account" badge. */
const CHECK_MARKS = /[\u2611\u2705\u2713\u2714\u{1f5f8}\u{1f5f9}]\ufe0f?/gu

/** Normalizes a display name: one line, no invisible characters. @throws invalid_data if it is too long */
export const cleanName = (input: string, field = 'display_name'): string => {
  const name = input
    .normalize('NFKC')
    .replace(INVISIBLE, ' ')
    .replace(CHECK_MARKS, ' ')
    .replace(STACKED_MARKS, '$1')
    .replace(/\s+/gu, ' ')
    .trim()
  if ([...name].length > DISPLAY_NAME_LENGTH) throw invalidField(field, `must have at most ${DISPLAY_NAME_LENGTH} characters`)
  return name
}

/** Official names in the canonical form of `unhomoglyph`, which maps look-alike characters to one. */
const OFFICIAL_SKELETONS = new Set(Array.from(OFFICIAL, (name) => unhomoglyph(name.replaceAll('-', ''))))
const ADDRESS = /:\/\/|\bwww\.|[^\s@]@[^\s@]+\.[^\s@]/iu
const VISIBLE = /[\p{L}\p{N}\p{S}\p{P}]/u
const LATIN = /\p{Script=Latin}/u
const LOOKS_LATIN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

/**
 * Refuses display names that impersonate: official names, addresses, and words that mix look-alike alphabets.
 * @throws invalid_data
 */
export const checkDisplayName = (name: string, byOperator: boolean): void => {
  if (byOperator || name === '') return
  const refuse = (text: string): never => {
    throw invalidField('display_name', text)
  }
  if (!VISIBLE.test(name)) refuse('must contain a letter, a digit or a symbol')
  if (ADDRESS.test(name)) refuse('must not be a URL or email address')
  if (name.split(/[\s\p{P}]+/u).some((word) => LATIN.test(word) && LOOKS_LATIN.test(word)))
    refuse('must not mix letters of different alphabets in one word')
  if (OFFICIAL_SKELETONS.has(unhomoglyph(name.toLowerCase().replace(/[^\p{L}]+/gu, '')))) refuse('is reserved for the community team')
}

/** `field` names the body field in the error. @throws weak_password */
export const checkNewPassword = (password: string, owner: { readonly username: string; readonly email: string }, field = 'password') => {
  const problem = passwordProblem(password, owner)
  if (problem) throw new ApiError('weak_password', { message: problem, data: { field } })
}

interface AccountInput {
  readonly username: string
  readonly email: string
  readonly password: string
  readonly display_name?: string | null
}

/**
 * Validates and normalizes the input for a new account; operators may use official names.
 * @throws invalid_username, invalid_email, weak_password, invalid_data
 */
export const checkedAccount = (input: AccountInput, { byOperator = false } = {}) => {
  const username = newUsername(input.username, byOperator)
  const email = newEmail(input.email)
  checkNewPassword(input.password, { username, email })
  const displayName = cleanName(input.display_name ?? '')
  checkDisplayName(displayName, byOperator)
  return { username, email, displayName: displayName || username }
}
