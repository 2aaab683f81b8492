/** Who may see what, as plain tables that share no code with the server. */
export const ACTORS = [
  'anonymous',
  'outsider',
  'follower',
  'pending',
  'left',
  'banned',
  'elsewhere',
  'member',
  'author',
  'spaceModerator',
  'spaceAdmin',
  'globalModerator',
  'administrator',
] as const
export type ActorName = (typeof ACTORS)[number]

/**
 * Each actor's relation to a location, in the order above: `-` hidden, `k` known by name, `r` readable, `f` readable as a follower of the
 * author, `m` member, `M` moderator, `A` admin, `S` staff of the whole community.
 */
const ACCESS_LEVELS = {
  outside: '- r f r r r r r r r r S A',
  'public published': '- r r r r r r m m M A S A',
  'private published': '- k k k k k k m m M A S A',
  'secret published': '- - - - - - - m m M A S A',
  'private archived': '- k k k k k k m m M A S A',
  'public draft': '- - - - - - - - - M A S A',
  'secret draft': '- - - - - - - - - M A S A',
} as const
export type LocationKind = keyof typeof ACCESS_LEVELS
export const LOCATIONS = Object.keys(ACCESS_LEVELS) as LocationKind[]

type AccessLevel = '-' | 'k' | 'r' | 'f' | 'm' | 'M' | 'A' | 'S'
export const accessLevel = (actor: ActorName, location: LocationKind): AccessLevel =>
  ACCESS_LEVELS[location].split(' ')[ACTORS.indexOf(actor)] as AccessLevel

/** Who sees a feed of another author, by their relation to its location. Authors see their own feeds wherever they have access. */
const FEEDS = {
  published: 'r f m M A S',
  expired: 'r f m M A S',
  private: 'f m M A S',
  draft: '',
  scheduled: 'M A',
  pending: 'M A S',
  spam: 'M A S',
} as const
export type FeedKind = keyof typeof FEEDS

const READS = 'r f m M A S'
const DECIDES = 'M A S'
const RUNS = 'A'
const among = (actor: ActorName, location: LocationKind, levels: string) => levels.split(' ').includes(accessLevel(actor, location))

export interface FeedFact {
  readonly kind: FeedKind
  readonly location: LocationKind
  readonly by: ActorName
}

export const seesFeed = (actor: ActorName, { kind, location, by }: FeedFact): boolean =>
  among(actor, location, FEEDS[kind]) || (actor === by && among(actor, location, READS))

/** Only published feeds that have not expired are listed. */
export const isListed = ({ kind }: FeedFact): boolean => kind === 'published' || kind === 'private'

export interface CommentFact {
  readonly status: 'published' | 'pending' | 'spam'
  readonly by: ActorName
  readonly feed: FeedFact
}

export const seesComment = (actor: ActorName, { status, by, feed }: CommentFact): boolean =>
  seesFeed(actor, feed) && (status === 'published' || actor === by || among(actor, feed.location, DECIDES))

/** Earlier versions of an edited feed: for its author, and for moderators of feeds or comments there. */
export const seesFeedHistory = (actor: ActorName, feed: FeedFact): boolean =>
  seesFeed(actor, feed) && (actor === feed.by || among(actor, feed.location, 'M A'))
export const seesCommentHistory = (actor: ActorName, comment: CommentFact): boolean =>
  seesComment(actor, comment) && (actor === comment.by || among(actor, comment.feed.location, DECIDES))

export type SurveyResults = 'never' | 'after_vote' | 'always'
export const seesResults = (actor: ActorName, feed: FeedFact, shown: SurveyResults, voted: boolean): boolean =>
  seesFeed(actor, feed) &&
  (actor === feed.by || among(actor, feed.location, DECIDES) || shown === 'always' || (shown === 'after_vote' && voted))

export const knowsLocation = (actor: ActorName, location: LocationKind): boolean => accessLevel(actor, location) !== '-'
export const isInside = (actor: ActorName, location: LocationKind): boolean => among(actor, location, 'm M A S')
export const runsLocation = (actor: ActorName, location: LocationKind): boolean => among(actor, location, RUNS)
/** Lock screens: for those who are locked out, and for those who configure them. */
export const seesLockScreen = (actor: ActorName, location: LocationKind): boolean => among(actor, location, 'k A')
/** Links for members: for members of the space, and for those who configure them. Staff are not members. */
export const seesMembersLink = (actor: ActorName, location: LocationKind): boolean => among(actor, location, 'm M A')
/** Private profiles: for their owner, followers and staff. */
export const knowsCircle = (actor: ActorName): boolean =>
  ['author', 'follower', 'globalModerator', 'administrator', 'elsewhere'].includes(actor)

/** Courses by privacy and status. The administrator manages all of them, and the member is enrolled in each. */
export const COURSES = ['public published', 'private published', 'secret published', 'public draft', 'secret archived'] as const
export type CourseKind = (typeof COURSES)[number]

export const runsCourse = (actor: ActorName): boolean => actor === 'administrator'
const isOut = (kind: CourseKind) => kind.endsWith(' published')
export const learnsIn = (actor: ActorName, kind: CourseKind): boolean => runsCourse(actor) || (isOut(kind) && actor === 'member')
export const seesCourse = (actor: ActorName, kind: CourseKind): boolean =>
  learnsIn(actor, kind) || (isOut(kind) && actor !== 'anonymous' && !kind.startsWith('secret'))
