import type { ErrorCode } from '@lyceum/contract'
import { type ActorName, CIRCLE, SHUT_OUT } from './rights.ts'
import type { Privacy } from './rules.ts'

/** An operation on the author named in the path. */
export interface PersonRule {
  /** Who gets through, depending on whether the profile is open; everyone else gets 403. */
  readonly who: 'everybody' | 'himself' | 'his circle where it is private'
  readonly body?: Readonly<Record<string, unknown>>
  readonly yields?: readonly ErrorCode[]
}

const EVERYBODY: PersonRule = { who: 'everybody' }
const HIMSELF: PersonRule = { who: 'himself' }

/** Operations that identify a person by username. */
export const PEOPLE: Readonly<Record<string, PersonRule>> = {
  'profiles.get': EVERYBODY,
  'profiles.update': { ...HIMSELF, body: { bio: 'Changed' } },
  'profiles.comments': EVERYBODY,
  'profiles.spaces': EVERYBODY,
  'media.ofProfile': EVERYBODY,
  'followers.follow': { who: 'everybody', yields: ['already_following', 'cannot_follow_self'] },
  'followers.unfollow': { who: 'everybody', yields: ['not_following'] },
  'followers.removeFollower': { who: 'everybody', yields: ['not_following', 'cannot_follow_self'] },
  'followers.followers': { who: 'his circle where it is private' },
  'followers.followings': { who: 'his circle where it is private' },
  'followers.status': EVERYBODY,
  'notifications.preferences': HIMSELF,
  'notifications.savePreferences': { ...HIMSELF, body: { digest_frequency: 'daily' } },
}

export const expectedOfPerson = ({ who }: PersonRule, actor: ActorName, profile: Privacy): string => {
  const out = SHUT_OUT[actor]
  if (out) return out
  const own = actor === 'author'
  const may = who === 'everybody' || own || (who !== 'himself' && (profile === 'public' || CIRCLE.includes(actor)))
  return may ? 'through' : '403 rest_forbidden'
}
