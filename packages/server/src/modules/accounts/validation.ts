import { DISPLAY_NAME_LENGTH } from '@lyceum/contract'
import unhomoglyph from 'unhomoglyph'
import { normalizeLogin } from '../../auth/authenticate.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { isMailAddress } from '../../mail/transport.ts'
import { passwordProblem } from '../../secrets/password-policy.ts'

const USERNAME = /^[a-z0-9_-]{3,30}$/

const words = (text: string) => new Set(text.split(' '))

/** Names that stand for something else in an address or a sentence. */
const RESERVED = words(
  'me self you everyone everybody all here channel anonymous guest nobody none null undefined true false api www mail email ' +
    'account accounts auth login logout signin signup register registration setup session sessions password passwords ' +
    'forgot-password reset-password settings preferences profile profiles user users member members u follow-requests followers followings ' +
    'feed feeds post posts comment comments space spaces course courses lesson lessons quiz quizzes topic topics bookmark bookmarks ' +
    'notification notifications message messages activity activities leaderboard analytics moderation report reports webhook webhooks ' +
    'search explore home about terms privacy legal docs health metrics openapi assets static media uploads new edit delete',
)
/** Names that speak for the community: only whoever runs it gives them away. */
const OFFICIAL = words(
  'admin admins administrator administrators root superuser sysadmin system owner staff team moderator moderators mod mods manager managers ' +
    'lyceum postmaster webmaster hostmaster abuse security support help info contact noreply no-reply mailer-daemon',
)

/** A username in the form in which it is stored. Reads those that exist as well: a reserved one is merely unknown then. @throws invalid_username */
export const readUsername = (input: string): string => {
  const username = normalizeLogin(input)
  if (!USERNAME.test(username)) throw new ApiError('invalid_username', { data: { field: 'username' } })
  return username
}

/** What deleted accounts are called. */
const OF_NOBODY = /^deleted-\d+$/
/** Where their addresses are: nobody else has one there, or an account could not be deleted any more. */
export const NOWHERE = 'deleted.invalid'

/** A username for a new account, or a new one for an old. @throws invalid_username */
export const newUsername = (input: string, byOperator: boolean): string => {
  const username = readUsername(input)
  if (RESERVED.has(username) || OF_NOBODY.test(username) || (!byOperator && OFFICIAL.has(username)))
    throw new ApiError('invalid_username', { message: 'This username is reserved.', data: { field: 'username' } })
  return username
}

const HOST_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u

/** An e-mail address in the form in which it is stored. @throws invalid_email */
export const newEmail = (input: string): string => {
  const email = normalizeLogin(input)
  const host = email.slice(email.lastIndexOf('@') + 1)
  if (!isMailAddress(email) || host === NOWHERE || !host.split('.').every((label) => HOST_LABEL.test(label)))
    throw new ApiError('invalid_email', { data: { field: 'email' } })
  return email
}

/** Characters that are not seen, or that turn the direction of what follows; joiners stay, since scripts and emoji need them. */
const UNSEEN =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]|\u034f/gu
/** At most two marks on a letter: more pile up over other lines. */
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu
/** Signs by which sites mark accounts that they have verified. */
const CHECK_MARKS = /[\u2611\u2705\u2713\u2714\u{1f5f8}\u{1f5f9}]\ufe0f?/gu

/** A name as people are shown it: on one line, without what is not seen. @throws invalid_data when it is too long */
export const cleanName = (input: string, field = 'display_name'): string => {
  const name = input
    .normalize('NFKC')
    .replace(UNSEEN, ' ')
    .replace(CHECK_MARKS, ' ')
    .replace(PILED_MARKS, '$1')
    .replace(/\s+/gu, ' ')
    .trim()
  if ([...name].length > DISPLAY_NAME_LENGTH) throw invalidField(field, `must have at most ${DISPLAY_NAME_LENGTH} characters`)
  return name
}

/** What official names look like, as `unhomoglyph` writes all that look the same. */
const OFFICIAL_LOOKS = new Set(Array.from(OFFICIAL, (name) => unhomoglyph(name.replaceAll('-', ''))))
const ADDRESS = /:\/\/|\bwww\.|[^\s@]@[^\s@]+\.[^\s@]/iu
const VISIBLE = /[\p{L}\p{N}\p{S}\p{P}]/u
const LATIN = /\p{Script=Latin}/u
const LOOKS_LATIN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

/**
 * Refuses display names that pass for somebody else: official ones, addresses, and words that mix alphabets which look alike.
 * @throws invalid_data
 */
export const checkDisplayName = (name: string, byOperator: boolean): void => {
  if (byOperator || name === '') return
  const refuse = (text: string): never => {
    throw invalidField('display_name', text)
  }
  if (!VISIBLE.test(name)) refuse('must have a letter, a digit or a sign that can be seen')
  if (ADDRESS.test(name)) refuse('must not be an address')
  if (name.split(/[\s\p{P}]+/u).some((word) => LATIN.test(word) && LOOKS_LATIN.test(word)))
    refuse('must not mix letters of different alphabets in one word')
  if (OFFICIAL_LOOKS.has(unhomoglyph(name.toLowerCase().replace(/[^\p{L}]+/gu, '')))) refuse('is reserved for the team of this community')
}

/** @throws weak_password; `field` is where it stands in the body */
export const checkNewPassword = (password: string, owner: { readonly username: string; readonly email: string }, field = 'password') => {
  const problem = passwordProblem(password, owner)
  if (problem) throw new ApiError('weak_password', { message: problem, data: { field } })
}

export interface AccountInput {
  readonly username: string
  readonly email: string
  readonly password: string
  readonly display_name?: string | null
}

/** What a new account is made from, checked and in the stored form; an operator may use official names. @throws invalid_username, invalid_email, weak_password, invalid_data */
export const checkedAccount = (input: AccountInput, { byOperator = false } = {}) => {
  const username = newUsername(input.username, byOperator)
  const email = newEmail(input.email)
  checkNewPassword(input.password, { username, email })
  const displayName = cleanName(input.display_name ?? '')
  checkDisplayName(displayName, byOperator)
  return { username, email, displayName: displayName || username }
}
