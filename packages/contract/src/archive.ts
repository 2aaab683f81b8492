import type { Static, TProperties, TSchema } from 'typebox'
import { LANGUAGES } from './constants.ts'
import { MANAGER_ROLES, PERMISSIONS } from './permissions.ts'
import { COMMENT_STATUSES } from './resources/comments.ts'
import { COURSE_TYPES } from './resources/course-settings.ts'
import { COURSE_STATUSES, DIFFICULTIES } from './resources/courses.ts'
import { CONTENT_TYPES, FEED_STATUSES, FEED_TYPES } from './resources/feeds.ts'
import { FOLLOW_STATUSES } from './resources/followers.ts'
import { LESSON_STATUSES, LESSON_TYPES } from './resources/lessons.ts'
import { MEDIA_SOURCES } from './resources/media.ts'
import { ACCOUNT_STATUSES } from './resources/members.ts'
import { ATTEMPT_STATUSES } from './resources/quizzes.ts'
import { Anything, Count, Datetime, named, nullable, oneOf } from './shapes/common.ts'
import { REACTION_TYPES } from './shapes/reactions.ts'
import { Type } from './typebox.ts'

/**
 * The records of `lyceum-archive/1`, and of every source that can be imported. A record names others by their ids at the source. Fields that
 * are absent have their defaults. Times are UTC.
 */
export const ARCHIVE_FORMAT = 'lyceum-archive/1'

/** Stands for the origin of the community in the texts of its archive, so that a copy at another address has an equal archive. */
export const ARCHIVE_ORIGIN = 'https://community.invalid'

const optional = Type.Optional
const text = (description: string) => Type.String({ description })
const some = (description: string) => optional(text(description))
const reference = (kind: string) => Type.String({ minLength: 1, description: `Id of a record of \`${kind}\`.` })
const flag = (description: string) => optional(Type.Boolean({ description }))
const time = (description: string) => optional(nullable(Type.Unsafe<string>({ ...Datetime, description })))
const when = (description: string) => Type.Unsafe<string>({ ...Datetime, description })
const free = (description: string) => optional(Type.Unsafe<Record<string, unknown>>({ ...Anything, description }))
const number = (description: string) => optional(Type.Integer({ ...Count, description }))
const maybe = (kind: string) => optional(nullable(reference(kind)))

const record = <P extends TProperties>(name: string, properties: P) =>
  named(name, {
    id: Type.String({ minLength: 1, maxLength: 500, description: 'Id at the source, unique within the kind.' }),
    urls: optional(
      Type.Array(Type.String(), { description: 'Addresses of the object at the source: absolute, or paths that start with a slash.' }),
    ),
    ...properties,
  })

const created = { created_at: when('Time of creation.'), updated_at: time('Time of the last change.') }
const position = number('Position in its list.')
const format = optional(
  oneOf(['markdown', 'html'], { default: 'markdown', description: 'Format of the text. HTML is converted to Markdown.' }),
)
/** A picture: the fields `name` for a record of media, and `name_url` for the address of a picture at another site. */
const picture = <N extends string>(name: N, what: string) =>
  ({
    [name]: optional(nullable(Type.String({ description: `Id of the record of \`media\` that is ${what}.` }))),
    [`${name}_url`]: some(`URL of ${what}, if it is a picture at another site.`),
  }) as Record<N, ReturnType<typeof maybe>> & Record<`${N}_url`, ReturnType<typeof some>>

const Attachments = {
  media: optional(Type.Array(reference('media'), { description: 'Attached pictures and files, in order.' })),
  gif: optional(
    named('ArchivedGif', {
      id: some('Id at the provider.'),
      url: text('URL of the GIF.'),
      title: some('Alternative text.'),
      width: number('Width.'),
      height: number('Height.'),
    }),
  ),
  preview: optional(
    named('ArchivedPreview', {
      url: text('URL of the linked page.'),
      title: some('Title of the page.'),
      description: some('Description of the page.'),
      image: some('URL of an image.'),
      type: some('Kind of the page, such as video.'),
      provider: some('Site of the page.'),
      author_name: some('Author of the page.'),
      width: number('Width of the image.'),
      height: number('Height of the image.'),
    }),
  ),
  meta: free('Further keys of `meta`, stored as they are.'),
}

const kinds = {
  people: record('ArchivedPerson', {
    username: text('Username at the source. The import changes it if it is invalid or taken.'),
    aliases: optional(Type.Array(Type.String(), { description: 'Other names by which texts and links of the source mention them.' })),
    email: nullable(Type.String({ description: 'Email address; null if the source has none.' })),
    password: optional(
      nullable(Type.String({ description: 'Password hash in a supported format; null if they cannot sign in by password.' })),
    ),
    display_name: some('Displayed name.'),
    first_name: some('First name.'),
    last_name: some('Last name.'),
    short_description: some('Biography in Markdown.'),
    location: some('Location.'),
    website: some('URL of a website.'),
    lang: optional(oneOf(LANGUAGES, { description: 'Language in which they get mail; absent for that of the community.' })),
    social_links: free('URLs by site.'),
    ...picture('avatar', 'their avatar'),
    ...picture('cover_photo', 'their cover photo'),
    is_verified: flag('Whether they are verified.'),
    is_private: flag('Whether followers need their approval.'),
    badges: optional(Type.Array(Type.String(), { description: 'Slugs of badges.' })),
    status: oneOf([...ACCOUNT_STATUSES, 'deleted'], { description: 'Status of the account.' }),
    role: optional(oneOf(['member', ...MANAGER_ROLES], { default: 'member', description: 'Role in the community.' })),
    permissions: optional(Type.Array(oneOf(PERMISSIONS), { description: 'Permissions of a manager; absent for those of the role.' })),
    managed_spaces: optional(nullable(Type.Array(reference('spaces'), { description: 'Spaces of a manager; null for all.' }))),
    role_paused: flag('Whether the role is suspended.'),
    points: number('Points at the source. Points beyond those that the imported content earns are added.'),
    preferences: optional(
      named('ArchivedPreferences', {
        email: free('Notification settings for email, by type.'),
        push: free('Notification settings for push, by type.'),
        digest_frequency: optional(oneOf(['daily', 'weekly', 'never'])),
      }),
    ),
    last_activity: time('Time of the last activity.'),
    ...created,
  }),
  media: record('ArchivedMedia', {
    file: some('Path of the file at the source; `media/` and its SHA-256 in an archive. Absent if the file is missing.'),
    url: some('URL of the file, for sources without files.'),
    sha256: some('SHA-256 of the file in hexadecimal digits.'),
    key: some('Random part of its address in a Lyceum community: 32 hexadecimal digits.'),
    file_name: text('Original name of the file.'),
    owner: maybe('people'),
    used_for: oneOf(MEDIA_SOURCES, { description: 'What kind of object it belongs to.' }),
    created_at: when('Time of the upload.'),
  }),
  space_groups: record('ArchivedSpaceGroup', {
    title: text('Title.'),
    slug: text('Slug at the source.'),
    description: some('Description.'),
    settings: free('Settings of the group.'),
    position,
    ...created,
  }),
  spaces: record('ArchivedSpace', {
    group: maybe('space_groups'),
    title: text('Title.'),
    slug: text('Slug at the source.'),
    description: some('Description in Markdown.'),
    type: some('Type of the space; default: community.'),
    privacy: oneOf(['public', 'private', 'secret'], { description: 'Who can see it.' }),
    status: oneOf(['published', 'draft', 'archived'], { description: 'Status.' }),
    settings: free('Settings of the space. `membership_ids` of its links are ids of records of `spaces`.'),
    lockscreen: free('Lock screen of the space.'),
    ...picture('logo', 'its logo'),
    ...picture('cover_photo', 'its cover photo'),
    position,
    created_by: maybe('people'),
    ...created,
  }),
  memberships: record('ArchivedMembership', {
    space: reference('spaces'),
    person: reference('people'),
    role: oneOf(['member', 'moderator', 'admin'], { description: 'Role in the space.' }),
    status: oneOf(['active', 'pending', 'banned'], { description: 'A pending membership is a request to join.' }),
    joined_at: when('Time of joining.'),
  }),
  topics: record('ArchivedTopic', {
    title: text('Title.'),
    slug: text('Slug at the source.'),
    description: some('Description.'),
    color: some('Color.'),
    icon: some('Icon.'),
    admin_only: flag('Whether only moderators can use it.'),
    spaces: optional(nullable(Type.Array(reference('spaces'), { description: 'Spaces where it is available; null for everywhere.' }))),
    parent: maybe('topics'),
    status: optional(oneOf(['active', 'inactive'], { default: 'active' })),
    position,
    ...created,
  }),
  posts: record('ArchivedPost', {
    author: reference('people'),
    space: maybe('spaces'),
    slug: some('Slug at the source.'),
    title: some('Title.'),
    message: text('Text.'),
    format,
    type: optional(oneOf(FEED_TYPES)),
    content_type: optional(oneOf(CONTENT_TYPES)),
    status: oneOf(FEED_STATUSES, { description: 'Status.' }),
    privacy: oneOf(['public', 'private'], { description: 'Who can see it.' }),
    topics: optional(Type.Array(reference('topics'), { description: 'Its topics, in order.' })),
    is_sticky: flag('Whether it is pinned in its space.'),
    priority: number('Priority; 1 if it is pinned everywhere.'),
    comments_disabled: flag('Whether comments are closed.'),
    ...picture('featured_image', 'its featured image'),
    survey: optional(
      named('ArchivedSurvey', {
        question: text('The question.'),
        options: Type.Array(named('ArchivedOption', { slug: text('Identifier, unique in the survey.'), label: text('Text.') })),
        allow_multiple: flag('Whether a voter can choose several options.'),
        show_results: optional(oneOf(['always', 'after_vote', 'never'])),
        end_date: time('Time when voting ends.'),
      }),
    ),
    ...Attachments,
    scheduled_at: time('Time when it is to be published.'),
    timezone: some('Time zone in which it was scheduled.'),
    auto_publish: flag('Whether it is published at that time without further approval.'),
    expired_at: time('Time when it expires.'),
    edited_at: time('Time of the last change of its content after publication.'),
    edited_by_moderator: flag('Whether someone other than the author made that change.'),
    published_at: time('Time of publication.'),
    active_at: time('Time of the last comment or edit.'),
    hold: free('Why it is pending or spam.'),
    ...created,
  }),
  survey_votes: record('ArchivedVote', {
    post: reference('posts'),
    person: reference('people'),
    options: Type.Array(Type.String(), { minItems: 1, description: 'Slugs of the chosen options.' }),
    created_at: when('Time of the vote.'),
  }),
  course_categories: record('ArchivedCourseCategory', { title: text('Title.'), slug: text('Slug at the source.') }),
  courses: record('ArchivedCourse', {
    title: text('Title.'),
    slug: text('Slug at the source.'),
    description: some('Description.'),
    content: some('Content in HTML.'),
    category: maybe('course_categories'),
    instructor: maybe('people'),
    created_by: maybe('people'),
    status: oneOf(COURSE_STATUSES, { description: 'Status.' }),
    privacy: oneOf(['public', 'private', 'secret'], { description: 'Who can see it.' }),
    course_type: oneOf(COURSE_TYPES, { description: 'When its sections unlock.' }),
    difficulty: optional(oneOf(DIFFICULTIES)),
    duration: some('Duration as text.'),
    price: some('Price as a decimal number.'),
    settings: free('Settings of the course.'),
    lockscreen: free('Lock screen of the course, without its required courses.'),
    prerequisites: optional(Type.Array(reference('courses'), { description: 'Courses to complete first.' })),
    ...picture('featured_image', 'its featured image'),
    ...picture('logo', 'its logo'),
    ...picture('cover_photo', 'its cover photo'),
    position,
    published_at: time('Time of publication.'),
    ...created,
  }),
  course_sections: record('ArchivedSection', {
    course: reference('courses'),
    title: text('Title.'),
    slug: text('Slug at the source.'),
    status: oneOf(LESSON_STATUSES, { description: 'Status.' }),
    position,
    days_after: number('Days after the enrollment when it unlocks, in a structured course.'),
    scheduled_at: time('When it unlocks, in a scheduled course.'),
    ...created,
  }),
  lessons: record('ArchivedLesson', {
    course: reference('courses'),
    section: reference('course_sections'),
    title: text('Title.'),
    slug: text('Slug at the source.'),
    type: oneOf(LESSON_TYPES, { description: 'Whether it is a lesson or a quiz.' }),
    status: oneOf(LESSON_STATUSES, { description: 'Status.' }),
    content: some('Content in HTML.'),
    video_url: some('URL of a video.'),
    duration: some('Duration as text.'),
    is_preview: flag('Whether everyone can read it.'),
    resources: optional(Type.Array(Type.Unsafe<Record<string, unknown>>(Anything), { description: 'Attached resources.' })),
    settings: free('Settings of the lesson.'),
    quiz: optional(
      named('ArchivedQuiz', {
        questions: Type.Array(Type.Unsafe<Record<string, unknown>>(Anything), { description: 'Questions, as in the API.' }),
        passing_score: number('Score that is required to pass, in percent.'),
        max_attempts: number('Maximum number of attempts; 0 for unlimited.'),
        time_limit: number('Time limit in seconds; 0 for none.'),
        show_correct_answers: flag('Whether the result shows the correct answers.'),
        randomize_questions: flag('Whether the order of the questions is random.'),
      }),
    ),
    position,
    ...created,
  }),
  enrolments: record('ArchivedEnrolment', {
    course: reference('courses'),
    person: reference('people'),
    enrolled_at: when('Time of the enrollment.'),
    ended: flag('Whether they are no longer enrolled: only the completion and its certificate remain.'),
    added_by: maybe('people'),
    last_lesson: maybe('lessons'),
    last_accessed_at: time('Time of the last access.'),
    completed_at: time('Time of the first completion.'),
    certificate_code: optional(nullable(Type.String({ description: 'Code of the certificate.' }))),
    certificate_at: time('Time of the certificate.'),
  }),
  lesson_completions: record('ArchivedCompletion', {
    lesson: reference('lessons'),
    person: reference('people'),
    completed_at: when('Time of completion.'),
  }),
  quiz_attempts: record('ArchivedAttempt', {
    lesson: reference('lessons'),
    person: reference('people'),
    attempt_number: Type.Integer({ minimum: 1, description: 'Number of the attempt.' }),
    status: oneOf(ATTEMPT_STATUSES, { description: 'Status.' }),
    questions: optional(
      Type.Array(Type.Unsafe<Record<string, unknown>>(Anything), {
        description: 'The questions of the attempt, if they have changed since.',
      }),
    ),
    question_order: optional(Type.Array(Type.String(), { description: 'Ids of the questions in the order of the attempt.' })),
    answers: optional(Type.Unsafe<unknown>({ description: 'Answers, as stored.' })),
    grades: optional(Type.Unsafe<unknown>({ description: 'Manual grades, as stored.' })),
    score: optional(nullable(Type.Number({ description: 'Score in percent.' }))),
    points_earned: optional(Type.Number({ description: 'Points earned.' })),
    points_possible: optional(Type.Number({ description: 'Points possible.' })),
    total_questions: number('Number of questions.'),
    correct_answers: number('Number of correct answers.'),
    passing_score: number('Score that was required to pass.'),
    passed: flag('Whether it was passed.'),
    late: flag('Whether it was submitted late.'),
    time_spent: number('Seconds.'),
    feedback: some('Feedback of the grader.'),
    graded_by: maybe('people'),
    graded_at: time('Time of grading.'),
    started_at: when('Time of the start.'),
    submitted_at: time('Time of the submission.'),
  }),
  comments: record('ArchivedComment', {
    post: maybe('posts'),
    lesson: maybe('lessons'),
    author: reference('people'),
    parent: maybe('comments'),
    message: text('Text.'),
    format,
    content_type: optional(oneOf(['text', 'markdown', 'html'])),
    status: oneOf(COMMENT_STATUSES, { description: 'Status.' }),
    is_sticky: flag('Whether it is pinned.'),
    helpful_at: time('When it was marked as helpful.'),
    helpful_by: maybe('people'),
    ...Attachments,
    edited_at: time('Time of the last change of its content.'),
    edited_by_moderator: flag('Whether someone other than the author made that change.'),
    hold: free('Why it is pending or spam.'),
    ...created,
  }),
  reactions: record('ArchivedReaction', {
    person: reference('people'),
    post: maybe('posts'),
    comment: maybe('comments'),
    type: oneOf(REACTION_TYPES, { description: 'Kind of reaction.' }),
    created_at: when('Time of the reaction.'),
  }),
  bookmarks: record('ArchivedBookmark', {
    person: reference('people'),
    post: reference('posts'),
    created_at: when('Time of the bookmark.'),
  }),
  follows: record('ArchivedFollow', {
    follower: reference('people'),
    following: reference('people'),
    status: oneOf(FOLLOW_STATUSES, { description: 'A pending follow awaits approval.' }),
    created_at: when('Time of the follow.'),
    updated_at: time('When a pending request was accepted.'),
  }),
  reports: record('ArchivedReport', {
    reporter: maybe('people'),
    post: maybe('posts'),
    comment: maybe('comments'),
    person: maybe('people'),
    reason: text('Reason.'),
    description: some('Explanation.'),
    status: oneOf(['pending', 'reviewed', 'resolved', 'dismissed'], { description: 'Status.' }),
    moderator: maybe('people'),
    moderator_note: some('Note of the moderator.'),
    action_taken: some('Action taken.'),
    title: some('Title of the object when it was reported.'),
    excerpt: some('Beginning of its text when it was reported.'),
    ...created,
  }),
} satisfies Record<string, TSchema>

/**
 * The kinds of records in the order in which they are stored. A record names only records of its own and of earlier kinds; only people name
 * media and spaces, which come later.
 */
export const ARCHIVE_KINDS = Object.keys(kinds) as ArchiveKind[]
export const archiveRecords = kinds
export type ArchiveKind = keyof typeof kinds
export type ArchiveRecord<K extends ArchiveKind = ArchiveKind> = Static<(typeof kinds)[K]>

/** What people choose from for an import: every kind of record belongs to one of these items. */
export const ARCHIVE_ITEMS = {
  people: ['people', 'follows'],
  spaces: ['space_groups', 'spaces', 'memberships', 'topics'],
  posts: ['posts', 'survey_votes', 'reports'],
  comments: ['comments'],
  reactions: ['reactions', 'bookmarks'],
  media: ['media'],
  courses: ['course_categories', 'courses', 'course_sections', 'lessons', 'enrolments', 'lesson_completions', 'quiz_attempts'],
} as const satisfies Readonly<Record<string, readonly ArchiveKind[]>>

/** A file of an archive. */
const ArchiveFile = named('ArchiveFile', {
  path: text('Path in the archive.'),
  bytes: Count,
  sha256: text('SHA-256 in hexadecimal digits.'),
})

export const ArchiveManifest = named('ArchiveManifest', {
  format: Type.Literal(ARCHIVE_FORMAT, { description: 'Format and version.' }),
  created_at: when('Time of the export.'),
  source: text('Public URL of the community.'),
  origins: Type.Array(Type.String(), { description: 'Origins of the addresses in texts, such as https://community.example.' }),
  counts: Type.Unsafe<Partial<Record<ArchiveKind, number>>>({ ...Anything, description: 'Number of records per kind.' }),
  files: Type.Array(ArchiveFile, { description: 'Files of records; the name of a media file is its SHA-256.' }),
  schemas: Type.Unsafe<Partial<Record<ArchiveKind, unknown>>>({ ...Anything, description: 'JSON Schema of the records per kind.' }),
})
export type ArchiveManifest = Static<typeof ArchiveManifest>
