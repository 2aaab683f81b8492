import type { ErrorCode } from '@lyceum/contract'
import type { Rule, Who } from './rule.ts'

/*
 * Who may do what, according to the API documentation and the names of the permissions. These expectations are not derived from the server;
 * a difference is an error in one of the two.
 */

type Rules = Readonly<Record<string, readonly Rule[]>>

const MEMBERS: readonly Rule[] = [{ through: ['member'] }]
const ADMINISTRATORS: readonly Rule[] = [{ through: ['administrator'] }]
const DENYING: readonly Rule[] = [{ through: ['administrator'], forbidden: 'permission_denied' }]
const PUBLIC: readonly Rule[] = [{ through: ['anybody'] }]
/** Anyone may try; `yields` is the result on this stage. */
const open = (yields: ErrorCode): readonly Rule[] => [{ through: ['anybody'], yields }]
const only = (...through: Who[]): readonly Rule[] => [{ through }]

/** A route for an object that is private to each member. */
const own = (missing: ErrorCode): readonly Rule[] => [
  { when: 'own', through: ['member'] },
  { when: 'of another', of: 'another', seen: [], missing, through: [] },
]

/** The same where the existence of the id is no secret. */
const owned: readonly Rule[] = [
  { when: 'own', through: ['member'] },
  { when: 'of another', of: 'another', through: [] },
]

// Spaces

/** Works inside spaces, and therefore reads their content. */
const WORKERS: readonly Who[] = [
  'manage_feeds here',
  'manage_comments here',
  'manage_spaces here',
  'manage_space_members here',
  'moderate_spaces here',
  'resolve_reports here',
]
const INSIDE: readonly Who[] = ['space member', 'space moderator', 'space admin', ...WORKERS]
const RUNS: readonly Who[] = ['space admin', 'manage_spaces here']
const MANAGES_MEMBERS: readonly Who[] = [...RUNS, 'manage_space_members here']
/** Has all permissions of a space moderator, and therefore grants no more than their own. */
const MAY_AS_MUCH: readonly Who[] = ['manage_space_members here', 'manage_feeds here', 'manage_comments here', 'pin_feeds here']
const MODERATES: readonly Who[] = ['space moderator', 'space admin', 'moderate_spaces here']

const inSpaces = (rule: Rule): Rule => ({
  places: ['secret', 'private', 'public'],
  seen: { secret: INSIDE, private: ['member'], public: ['member'] },
  missing: 'space_not_found',
  ...rule,
})
const space = (...through: Who[]): readonly Rule[] => [inSpaces({ through })]

// Feeds and comments

const READERS = { private: INSIDE, public: ['member'], outside: ['member'] } as const
const SEEN: readonly Who[] = ['member']
const PARTICIPANTS = { private: INSIDE, public: INSIDE, outside: SEEN }
const inFeeds = (rule: Rule): Rule => ({
  places: ['private', 'public', 'outside'],
  seen: READERS,
  missing: 'feed_not_found',
  ...rule,
})
const POSTS: readonly Who[] = ['space member', ...MODERATES, 'manage_feeds here', 'manage_spaces here']
const EDITS: readonly Who[] = ['author', ...MODERATES, 'manage_feeds here']
const DECIDES: readonly Who[] = [...MODERATES, 'manage_feeds here', 'resolve_reports here']
const PINS: readonly Who[] = [...MODERATES, 'pin_feeds here']
const FEATURES: readonly Who[] = [...PINS, 'feature_content here']
const MODERATES_COMMENTS: readonly Who[] = [...MODERATES, 'manage_comments here']
const ofFeed = (...through: Who[]): readonly Rule[] => [inFeeds({ through })]
const ofComment = (rule: Rule): Rule => inFeeds({ missing: 'comment_not_found', ...rule })
const byStatus = (...deciders: Who[]) => ({
  private: ['author', ...deciders] as const,
  public: ['author', ...deciders] as const,
  outside: ['author', ...deciders] as const,
})

// Courses

const TEACHES: readonly Who[] = ['teacher', 'manage_spaces everywhere']
const inCourses = (rule: Rule): Rule => ({
  places: ['open course', 'secret course'],
  seen: { 'open course': ['member'], 'secret course': ['student', ...TEACHES] },
  missing: 'course_not_found',
  ...rule,
})
const course = (...through: Who[]): readonly Rule[] => [inCourses({ through })]
const LEARNS: readonly Who[] = ['student', ...TEACHES]
const taught = course(...TEACHES)
/** Comments on a lesson: learners write them, teachers moderate them. */
const inLessons = (rule: Rule): Rule => ({
  when: 'under a lesson',
  places: ['open course', 'secret course'],
  seen: LEARNS,
  missing: 'feed_not_found',
  ...rule,
})
const underLesson = (rule: Rule): Rule => inLessons({ missing: 'comment_not_found', ...rule })
const studied: readonly Rule[] = [inCourses({ through: ['student'], forbidden: 'not_enrolled' })]

// Reports

const MAY_RESOLVE: readonly Who[] = ['resolve_reports somewhere']
const held = (missing: ErrorCode): Rule => ({
  of: 'held',
  places: ['private', 'public', 'outside'],
  gate: MAY_RESOLVE,
  seen: ['resolve_reports here'],
  missing,
  through: ['resolve_reports here'],
})

const SETTINGS = only('manage_settings everywhere')
const WEBHOOKS = only('manage_webhooks everywhere')
const OTHERS_WEBHOOK: readonly Rule[] = [{ gate: ['manage_webhooks everywhere'], through: ['administrator'] }]
const ADMITS = only('manage_members everywhere')
const DAYS = { date_from: '2026-03-01', date_to: '2026-03-10' }
const figures: readonly Rule[] = [{ through: ['view_analytics everywhere'], query: DAYS }]
const figuresOfSpaces: readonly Rule[] = [{ through: ['view_analytics somewhere'], query: DAYS }]

const people: Rules = {
  'account.applicationPasswords': MEMBERS,
  'account.createApplicationPassword': MEMBERS,
  'account.deleteApplicationPassword': own('application_password_not_found'),
  'account.changePassword': [{ through: ['member'], yields: 'wrong_password' }],
  'account.changeEmail': [{ through: ['member'], yields: 'wrong_password' }],
  // By default members may not change their username.
  'account.changeUsername': [{ through: ['administrator'], yields: 'wrong_password' }],
  'auth.setup': open('setup_done'),
  'auth.register': PUBLIC,
  'auth.verifyEmail': open('invalid_token'),
  'auth.resendVerification': PUBLIC,
  'auth.login': [{ through: ['anybody'], body: { login: 'nobody' }, yields: 'missing_required_field' }],
  'auth.logout': PUBLIC,
  'auth.forgotPassword': PUBLIC,
  'auth.resetPassword': open('invalid_token'),
  'auth.confirmEmail': open('invalid_token'),
  'auth.undoEmailChange': open('invalid_token'),
  'auth.session': PUBLIC,
  'activities.list': MEMBERS,
  'activities.ticker': MEMBERS,
  'followers.follow': MEMBERS,
  'followers.unfollow': [{ through: ['member'], yields: 'not_following' }],
  'followers.removeFollower': [{ through: ['member'], yields: 'not_following' }],
  'followers.followers': MEMBERS,
  'followers.followings': MEMBERS,
  'followers.status': MEMBERS,
  'followers.requests': MEMBERS,
  'followers.approve': own('request_not_found'),
  'followers.reject': own('request_not_found'),
  'members.list': [
    { when: 'active', through: ['member'] },
    { when: 'suspended', query: { status: 'suspended' }, through: ['staff'] },
    { when: 'waiting', query: { status: 'pending' }, through: ['manage_members everywhere'] },
    inSpaces({ when: 'of a space', query: { space: '{space_slug}' }, through: INSIDE }),
  ],
  'members.active': MEMBERS,
  'members.newest': MEMBERS,
  'members.topContributors': MEMBERS,
  'members.update': [
    { when: 'suspends', body: { status: 'suspended' }, through: ['ban_members everywhere'] },
    { when: 'bans', body: { status: 'banned' }, through: ['ban_members everywhere'] },
    { when: 'restores', of: 'suspended', body: { status: 'active' }, through: ['ban_members everywhere'] },
    { when: 'lets in', of: 'waiting', body: { status: 'active' }, through: ['manage_members everywhere'] },
    // A moderator who bans could otherwise also restore, which would admit pending members.
    {
      when: 'bans who waits',
      of: 'waiting',
      body: { status: 'banned' },
      through: [['ban_members everywhere', 'manage_members everywhere']],
    },
    { when: 'bans who may do more', of: 'staff', body: { status: 'banned' }, through: ['administrator'] },
    { when: 'verifies', body: { is_verified: true }, through: ['administrator'] },
    { when: 'gives badges', body: { badge_slugs: ['helper'] }, through: ['administrator'] },
  ],
  'notifications.list': MEMBERS,
  'notifications.unread': MEMBERS,
  'notifications.read': owned,
  'notifications.markAllRead': MEMBERS,
  'notifications.remove': owned,
  'notifications.removeAll': MEMBERS,
  'notifications.preferences': owned,
  'notifications.savePreferences': owned,
  'privacy.requestExport': MEMBERS,
  'privacy.exports': MEMBERS,
  'privacy.export': own('export_not_found'),
  'privacy.deleteAccount': [{ through: ['member'], yields: 'wrong_password' }],
  'privacy.exportMember': ADMINISTRATORS,
  'privacy.deleteMember': [{ through: ['administrator'], body: { content: 'anonymise' } }],
  'profiles.get': [
    { when: 'own', through: ['member'] },
    { when: 'of another', of: 'another', through: ['member'] },
    { when: 'of who is suspended', of: 'suspended', seen: ['staff'], missing: 'user_not_found', through: ['staff'] },
  ],
  'profiles.update': owned,
  'profiles.comments': MEMBERS,
  'profiles.spaces': MEMBERS,
  'push.key': MEMBERS,
  'push.list': MEMBERS,
  'push.subscribe': MEMBERS,
  'push.remove': own('subscription_not_found'),
  'push.unsubscribe': MEMBERS,
  'stream.listen': MEMBERS,
}

const feeds: Rules = {
  'feeds.list': [{ through: ['member'] }, inSpaces({ when: 'of a space', query: { space: '{space_slug}' }, through: ['member'] })],
  'feeds.byId': [
    inFeeds({ through: ['member'] }),
    inFeeds({ when: 'held', of: 'held', seen: byStatus(...DECIDES), through: ['member'] }),
    inFeeds({ when: 'scheduled', of: 'scheduled', seen: byStatus(...MODERATES, 'manage_feeds here'), through: ['member'] }),
    inLessons({ through: ['member'] }),
  ],
  'feeds.bySlug': ofFeed('member'),
  'feeds.revisions': [inFeeds({ seen: byStatus(...MODERATES, 'manage_feeds here'), through: ['member'] })],
  'feeds.create': [
    inSpaces({ through: POSTS }),
    inSpaces({
      when: 'pinned',
      body: { message: 'Mine', space_id: '{space_id}', is_sticky: true },
      through: [...MODERATES, ['manage_feeds here', 'pin_feeds here']],
    }),
    inSpaces({
      when: 'with priority',
      body: { message: 'Mine', space_id: '{space_id}', priority: 1 },
      through: [...MODERATES, ['manage_feeds here', 'pin_feeds here']],
    }),
    inSpaces({
      when: 'as spam',
      body: { message: 'Mine', space_id: '{space_id}', status: 'spam' },
      through: [...MODERATES, 'manage_feeds here'],
    }),
    { when: 'outside of spaces', body: { message: 'Mine' }, through: ['member'] },
    {
      when: 'pinned outside of spaces',
      body: { message: 'Mine', is_sticky: true },
      through: ['pin_feeds everywhere', 'moderate_spaces everywhere'],
    },
  ],
  'feeds.update': [
    inFeeds({ when: 'text', body: { message: 'Changed', reason: 'House rules' }, through: EDITS }),
    inFeeds({ when: 'pin', body: { is_sticky: true }, through: PINS }),
    inFeeds({ when: 'announcement', body: { type: 'announcement' }, through: PINS }),
    inFeeds({ when: 'priority', body: { priority: 1 }, through: FEATURES }),
    inFeeds({ when: 'picture', body: { featured_image: 'https://example.org/x.png' }, through: [...EDITS, 'feature_content here'] }),
    inFeeds({ when: 'spam', body: { status: 'spam' }, through: DECIDES }),
    inFeeds({ when: 'out of hold', of: 'held', body: { status: 'published' }, seen: byStatus(...DECIDES), through: DECIDES }),
    inFeeds({ when: 'privacy', body: { privacy: 'private' }, through: ['author'] }),
    // It is changed and deleted with its lesson.
    inLessons({ body: { message: 'Changed' }, through: [] }),
  ],
  'feeds.patch': [
    inFeeds({ when: 'pin', body: { is_sticky: true }, through: PINS }),
    inFeeds({ when: 'priority', body: { priority: 1 }, through: FEATURES }),
    inFeeds({ when: 'lock', body: { comments_disabled: true }, through: EDITS }),
    inLessons({ body: { comments_disabled: true }, through: [] }),
  ],
  'feeds.remove': [inFeeds({ through: EDITS }), inLessons({ through: [] })],
  'feeds.preview': MEMBERS,
}

const conversation: Rules = {
  'batch.run': MEMBERS,
  'bookmarks.list': [{ through: ['member'] }, inSpaces({ when: 'of a space', query: { space: '{space_slug}' }, through: ['member'] })],
  'comments.list': [inFeeds({ through: ['member'] }), inLessons({ through: ['member'] })],
  'comments.all': [{ through: ['member'] }, inSpaces({ when: 'of a space', query: { space: '{space_slug}' }, through: ['member'] })],
  'comments.byId': [
    ofComment({ through: ['member'] }),
    ofComment({ when: 'held', of: 'held', seen: byStatus(...DECIDES, 'manage_comments here'), through: ['member'] }),
    underLesson({ through: ['member'] }),
  ],
  'comments.revisions': [ofComment({ seen: byStatus(...MODERATES_COMMENTS), through: ['member'] })],
  'comments.create': [inFeeds({ through: PARTICIPANTS }), inLessons({ through: ['member'] })],
  'comments.update': [
    ofComment({ when: 'text', body: { comment: 'Changed', reason: 'House rules' }, through: ['author', ...MODERATES_COMMENTS] }),
    ofComment({ when: 'pin', body: { is_sticky: true }, through: MODERATES_COMMENTS }),
    ofComment({ when: 'spam', body: { status: 'spam' }, through: [...DECIDES, 'manage_comments here'] }),
    underLesson({ body: { comment: 'Changed', reason: 'House rules' }, through: TEACHES }),
  ],
  'comments.patch': [ofComment({ through: MODERATES_COMMENTS }), underLesson({ through: TEACHES })],
  'comments.remove': [ofComment({ through: ['author', ...MODERATES_COMMENTS] }), underLesson({ through: TEACHES })],
  'comments.markHelpful': [ofComment({ through: ['author', ...MODERATES_COMMENTS] }), underLesson({ through: TEACHES })],
  'comments.unmarkHelpful': [ofComment({ through: ['author', ...MODERATES_COMMENTS] }), underLesson({ through: TEACHES })],
  'reactions.toFeed': [
    inFeeds({ missing: 'content_not_found', through: PARTICIPANTS }),
    inLessons({ missing: 'content_not_found', through: ['member'] }),
    inFeeds({ when: 'bookmark', body: { react_type: 'bookmark' }, through: ['member'] }),
  ],
  'reactions.toComment': [inFeeds({ missing: 'content_not_found', through: PARTICIPANTS })],
  'reactions.ofFeed': [inFeeds({ missing: 'content_not_found', through: ['member'] })],
  'reactions.ofComment': [inFeeds({ missing: 'content_not_found', through: ['member'] })],
  'reactions.remove': [inFeeds({ missing: 'reaction_not_found', through: [...EDITS, 'manage_comments here'] })],
  'surveys.vote': [inFeeds({ through: PARTICIPANTS })],
  'surveys.voters': [inFeeds({ through: ['author', ...DECIDES] })],
  'media.upload': MEMBERS,
  'media.get': [inFeeds({ missing: 'media_not_found', through: ['member'] })],
  'media.remove': [inFeeds({ missing: 'media_not_found', through: EDITS })],
  'media.ofProfile': MEMBERS,
  'media.oembed': [{ through: ['member'], query: { url: 'http://127.0.0.1/' }, yields: 'preview_not_found' }],
  'media.removePreview': ofFeed(...EDITS),
  'scheduledPosts.list': [
    { when: 'own', through: ['member'] },
    { when: 'of another', query: { user_id: '{user_id}' }, through: ['administrator'] },
    inSpaces({
      when: 'of another in a space',
      query: { user_id: '{user_id}', space_id: '{space_id}' },
      through: [...MODERATES, 'manage_feeds here'],
    }),
  ],
  'scheduledPosts.reschedule': [
    inFeeds({ of: 'scheduled', seen: byStatus(...MODERATES, 'manage_feeds here'), missing: 'not_found', through: ['member'] }),
  ],
  'scheduledPosts.publish': [
    inFeeds({ of: 'scheduled', seen: byStatus(...MODERATES, 'manage_feeds here'), missing: 'not_found', through: ['member'] }),
  ],
  'topics.list': [{ through: ['member'] }, inSpaces({ when: 'of a space', query: { space: '{space_slug}' }, through: ['member'] })],
  'topics.create': ADMINISTRATORS,
  'gif.search': [{ through: ['member'], query: { q: 'cat' }, yields: 'service_unavailable' }],
}

const spaces: Rules = {
  'spaceGroups.list': MEMBERS,
  'spaceGroups.create': DENYING,
  'spaceGroups.update': DENYING,
  'spaceGroups.remove': DENYING,
  'spaceGroups.reorder': DENYING,
  'spaceGroups.reorderSpaces': DENYING,
  'spaceGroups.moveSpace': DENYING,
  'spaceMembers.join': [inSpaces({ through: ['member'], never: ['banned from the space'] })],
  'spaceMembers.leave': space('member'),
  'spaceMembers.list': [
    inSpaces({ when: 'active', through: INSIDE }),
    inSpaces({ when: 'waiting', query: { status: 'pending' }, through: MANAGES_MEMBERS }),
  ],
  'spaceMembers.add': [
    inSpaces({ when: 'as a member', through: MANAGES_MEMBERS }),
    inSpaces({ when: 'as a moderator', of: 'staff', body: { user_id: '{user_id}', role: 'moderator' }, through: [...RUNS, MAY_AS_MUCH] }),
    inSpaces({ when: 'as an admin', of: 'staff', body: { user_id: '{user_id}', role: 'admin' }, through: RUNS }),
  ],
  'spaceMembers.bulkAdd': [
    inSpaces({ when: 'as members', through: MANAGES_MEMBERS }),
    inSpaces({ when: 'as admins', body: { user_ids: [1], role: 'admin' }, through: RUNS }),
  ],
  'spaceMembers.update': [
    inSpaces({ when: 'to member', through: MANAGES_MEMBERS }),
    inSpaces({ when: 'to moderator', body: { role: 'moderator' }, through: [...RUNS, MAY_AS_MUCH] }),
    inSpaces({ when: 'to admin', body: { role: 'admin' }, through: RUNS }),
    inSpaces({ when: 'of an admin', of: 'space admin', body: { role: 'member' }, through: RUNS }),
  ],
  'spaceMembers.remove': space(...MANAGES_MEMBERS),
  'spaceMembers.removeByPath': [
    inSpaces({ when: 'a member', through: MANAGES_MEMBERS }),
    inSpaces({ when: 'an admin', of: 'space admin', through: RUNS }),
  ],
  'spaceMembers.ban': [
    inSpaces({ when: 'a member', through: MANAGES_MEMBERS }),
    inSpaces({ when: 'an admin', of: 'space admin', through: RUNS }),
  ],
  'spaceMembers.unban': space(...MANAGES_MEMBERS),
  'spaceMembers.searchUsers': [
    { when: 'for all spaces', query: { q: 'member' }, through: ['manage_spaces everywhere', 'manage_space_members everywhere'] },
    inSpaces({ when: 'for one', query: { q: 'member', space_id: '{space_id}' }, through: MANAGES_MEMBERS }),
  ],
  'spaces.list': MEMBERS,
  'spaces.discover': MEMBERS,
  'spaces.all': MEMBERS,
  'spaces.bySlug': space('member'),
  'spaces.byId': space('member'),
  'spaces.create': only('manage_spaces everywhere'),
  'spaces.updateBySlug': space(...RUNS),
  'spaces.updateById': space(...RUNS),
  'spaces.remove': space(...RUNS),
  'spaces.removeById': space(...RUNS),
  'spaces.lockscreens': space('member'),
  'spaces.saveLockscreens': space(...RUNS),
  'spaces.saveLinks': space(...RUNS),
  'spaces.metaSettings': space(...RUNS),
}

const learning: Rules = {
  'adminCourses.saveLockscreens': taught,
  'adminCourses.students': taught,
  'adminCourses.addStudent': taught,
  'adminCourses.removeStudent': taught,
  'courseCopies.course': [{ gate: ['manage_spaces somewhere'], ...inCourses({ through: ['manage_spaces everywhere'] }) }],
  'courseCopies.section': taught,
  'courseSections.list': taught,
  'courseSections.create': taught,
  'courseSections.reorder': taught,
  'courseSections.byId': taught,
  'courseSections.update': taught,
  'courseSections.patch': taught,
  'courseSections.remove': taught,
  'courses.list': MEMBERS,
  'courses.mine': MEMBERS,
  'courses.byId': course('member'),
  'courses.bySlug': course('member'),
  'courses.create': only('manage_spaces everywhere'),
  'courses.update': [
    ...taught,
    // Only the creator of a course and course administrators choose the teacher.
    inCourses({ when: 'names the teacher', body: { instructor_id: null }, through: ['manage_spaces everywhere'] }),
  ],
  'courses.remove': taught,
  'courses.enroll': course('member'),
  'courses.unenroll': studied,
  'courses.students': taught,
  'adminQuizzes.list': taught,
  'adminQuizzes.show': taught,
  'adminQuizzes.grade': taught,
  'adminTopics.list': ADMINISTRATORS,
  'adminTopics.create': ADMINISTRATORS,
  'adminTopics.update': ADMINISTRATORS,
  'adminTopics.remove': ADMINISTRATORS,
  'adminTopics.config': ADMINISTRATORS,
  'adminTopics.saveConfig': ADMINISTRATORS,
  'adminLessons.list': taught,
  'adminLessons.create': taught,
  'adminLessons.duplicate': taught,
  'adminLessons.move': taught,
  'adminLessons.reorder': taught,
  'lessons.list': course('member'),
  'lessons.byId': course('member'),
  'lessons.bySlug': course('member'),
  'lessons.update': taught,
  'lessons.remove': taught,
  'lessons.reorder': taught,
  'certificates.check': [{ through: ['anybody'], yields: 'certificate_not_found' }],
  'progress.complete': studied,
  'progress.incomplete': studied,
  'progress.setCompletion': studied,
  'progress.get': [...studied, inCourses({ when: 'of another', query: { user_id: '{user_id}' }, through: TEACHES })],
  'progress.reset': studied,
  'progress.resetStudent': taught,
  'progress.certificate': [inCourses({ through: ['student'], forbidden: 'not_enrolled', yields: 'course_not_complete' })],
  'quizzes.start': studied,
  'quizzes.submit': studied,
  'quizzes.result': studied,
}

const running: Rules = {
  'analytics.overviewWidget': figures,
  'analytics.overviewActivity': figures,
  'analytics.popularDayTime': figures,
  'analytics.membersWidget': figures,
  'analytics.membersActivity': figures,
  'analytics.topMembers': figures,
  'analytics.topPostStarters': figures,
  'analytics.topCommenters': figures,
  'analytics.spacesWidget': figuresOfSpaces,
  'analytics.spacesActivity': [
    ...figuresOfSpaces,
    {
      when: 'of a space',
      places: ['secret', 'public'],
      query: { ...DAYS, space_id: '{space_id}' },
      gate: ['view_analytics somewhere'],
      seen: {
        secret: ['view_analytics limited', ...INSIDE.map((who) => ['view_analytics everywhere', who] as const)],
        public: ['view_analytics here'],
      },
      missing: 'space_not_found',
      through: ['view_analytics here'],
    },
  ],
  'analytics.popularSpaces': figuresOfSpaces,
  'analytics.searchSpaces': [{ through: ['view_analytics somewhere'], query: { search: 'space' } }],
  'audit.list': ADMINISTRATORS,
  'audit.signInFailures': ADMINISTRATORS,
  'backups.list': ADMINISTRATORS,
  'leaderboard.list': [
    { through: ['member'] },
    inSpaces({
      when: 'of a space',
      query: { space_id: '{space_id}' },
      through: { secret: INSIDE, private: INSIDE, public: ['member'] },
    }),
  ],
  'leaderboardLevels.list': DENYING,
  'leaderboardLevels.save': DENYING,
  'links.list': ADMINISTRATORS,
  'links.save': ADMINISTRATORS,
  'managers.list': ADMINISTRATORS,
  'managers.save': [{ through: ['administrator'], body: { user_id: '{user_id}', role: 'admin' } }],
  'managers.update': ADMINISTRATORS,
  'managers.remove': ADMINISTRATORS,
  'moderation.report': [
    inFeeds({ missing: 'not_found', body: { object_id: '{feed_id}', object_type: 'feed', reason: 'spam' }, through: ['member'] }),
    inFeeds({
      when: 'comment',
      missing: 'not_found',
      body: { object_id: '{comment_id}', object_type: 'comment', reason: 'spam' },
      through: ['member'],
    }),
    { when: 'member', body: { object_id: '{user_id}', object_type: 'user', reason: 'spam' }, through: ['member'] },
  ],
  'moderation.reports': only('view_reports somewhere'),
  'moderation.update': [
    {
      when: 'reviewed',
      places: ['private', 'public', 'outside'],
      gate: MAY_RESOLVE,
      seen: ['resolve_reports here'],
      missing: 'not_found',
      through: ['resolve_reports here'],
    },
    {
      when: 'under a lesson',
      places: ['open course', 'secret course'],
      gate: MAY_RESOLVE,
      seen: [['resolve_reports everywhere', 'manage_spaces everywhere']],
      missing: 'not_found',
      through: ['resolve_reports everywhere'],
    },
    {
      when: 'bans',
      places: ['private', 'outside'],
      body: { status: 'resolved', action_taken: 'user_banned' },
      gate: MAY_RESOLVE,
      seen: ['resolve_reports here'],
      missing: 'not_found',
      through: ['administrator'],
    },
  ],
  'moderation.remove': ADMINISTRATORS,
  'moderation.config': ADMINISTRATORS,
  'moderation.saveConfig': ADMINISTRATORS,
  'moderation.queue': only('resolve_reports somewhere'),
  'moderation.decideFeed': [held('feed_not_found')],
  'moderation.decideComment': [held('comment_not_found')],
  'registrations.list': ADMITS,
  'registrations.approve': ADMITS,
  'registrations.reject': ADMITS,
  'settings.list': SETTINGS,
  'settings.get': [{ through: ['manage_settings everywhere'] }],
  'settings.save': [
    { through: ['manage_settings everywhere'] },
    { when: 'switches', body: { features: { gif: false } }, through: ['administrator'] },
  ],
  'settings.reset': [
    { through: ['manage_settings everywhere'] },
    { when: 'switches', body: { keys: ['features'] }, through: ['administrator'] },
  ],
  'migrations.list': SETTINGS,
  'migrations.config': SETTINGS,
  'migrations.saveConfig': SETTINGS,
  'migrations.addFile': SETTINGS,
  'migrations.removeFiles': SETTINGS,
  'migrations.start': SETTINGS,
  'migrations.status': SETTINGS,
  'migrations.report': SETTINGS,
  'settings.features': ADMINISTRATORS,
  'settings.saveFeatures': ADMINISTRATORS,
  'settings.public': PUBLIC,
  'settingsPages.general': SETTINGS,
  'settingsPages.saveGeneral': SETTINGS,
  'settingsPages.email': SETTINGS,
  'settingsPages.saveEmail': SETTINGS,
  'settingsPages.mailTexts': SETTINGS,
  'settingsPages.saveMailTexts': SETTINGS,
  'settingsPages.banner': SETTINGS,
  'settingsPages.saveBanner': SETTINGS,
  'settingsPages.auth': SETTINGS,
  'settingsPages.saveAuth': SETTINGS,
  'settingsPages.menu': SETTINGS,
  'settingsPages.saveMenu': SETTINGS,
  'settingsPages.customization': SETTINGS,
  'settingsPages.saveCustomization': SETTINGS,
  'settingsPages.colors': SETTINGS,
  'settingsPages.saveColors': SETTINGS,
  'settingsPages.privacy': SETTINGS,
  'settingsPages.savePrivacy': SETTINGS,
  'settingsPages.snippets': SETTINGS,
  'settingsPages.saveSnippets': SETTINGS,
  'settingsPages.followers': ADMINISTRATORS,
  'settingsPages.saveFollowers': ADMINISTRATORS,
  'settingsPages.linkProviders': SETTINGS,
  'settingsPages.saveLinkProviders': SETTINGS,
  'settingsPages.storage': ADMINISTRATORS,
  'settingsPages.testStorage': ADMINISTRATORS,
  'settingsPages.welcomeBanner': MEMBERS,
  'webhooks.list': WEBHOOKS,
  'webhooks.create': WEBHOOKS,
  'webhooks.one': WEBHOOKS,
  // The webhook belongs to an administrator and has their rights.
  'webhooks.update': OTHERS_WEBHOOK,
  'webhooks.remove': OTHERS_WEBHOOK,
  'webhooks.test': OTHERS_WEBHOOK,
  'webhooks.rotateSecret': OTHERS_WEBHOOK,
  'webhooks.deliveries': OTHERS_WEBHOOK,
  'webhooks.redeliver': OTHERS_WEBHOOK,
}

/** By API part, so that each has its own test file. */
export const POLICY = { people, feeds, conversation, spaces, learning, running } as const
export type Part = keyof typeof POLICY
