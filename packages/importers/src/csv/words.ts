import type { ArchiveRecord } from '@lyceum/contract/archive'

type Person = ArchiveRecord<'people'>

/** Status of a member in Lyceum; `absent` if the row is not a member, null if the status is unknown. */
export type MemberStatus = Person['status'] | 'absent' | null

const STATUSES: ReadonlyMap<string, MemberStatus> = new Map(
  (
    [
      [
        'active',
        'active approved accepted joined member confirmed enabled yes true current trialing trial paid free subscribed onboarded published',
      ],
      ['pending', 'pending requested waiting waitlist waitlisted awaitingapproval pendingapproval inreview'],
      ['suspended', 'suspended deactivated inactive disabled paused no false'],
      ['banned', 'banned blocked kicked'],
      [
        'absent',
        'invited invitesent cancelled canceled churned left removed deleted declined rejected expired former archived unconfirmed bounced',
      ],
    ] as const
  ).flatMap(([status, words]) => words.split(' ').map((word): [string, MemberStatus] => [word, status])),
)

const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** A member without a status is active. */
export const memberStatusOf = (status: string): MemberStatus => (bare(status) === '' ? 'active' : (STATUSES.get(bare(status)) ?? null))

const ADMINISTRATORS = new Set(['admin', 'administrator', 'owner', 'host', 'communityowner', 'communityadmin', 'networkhost'])
const MODERATORS = new Set(['moderator', 'communitymoderator', 'mod', 'cohost', 'spacemoderator', 'groupmoderator'])

/** The highest of the listed roles. */
export const roleOf = (roles: string): NonNullable<Person['role']> => {
  const words = roles.split(/[,;|/]/).map(bare)
  if (words.some((word) => ADMINISTRATORS.has(word))) return 'admin'
  return words.some((word) => MODERATORS.has(word)) ? 'moderator' : 'member'
}

/** Splits a cell at line breaks, semicolons or bars, or else at commas. */
export const listOf = (cell: string): string[] => {
  const parts = /[;|\n]/.test(cell) ? cell.split(/[;|\n]/) : cell.split(',')
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))]
}

/** Minimal check: one @, a domain with a dot, no spaces. */
const EMAIL = /^[^\s@<>",;()[\]\\]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u

export const isEmail = (text: string): boolean => text.length <= 254 && EMAIL.test(text)
