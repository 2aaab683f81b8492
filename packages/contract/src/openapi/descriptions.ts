import { THINGS } from './described-things.ts'
import { OPERATION_DESCRIPTIONS } from './operation-descriptions.ts'
import { SCHEMA_DESCRIPTIONS } from './schema-descriptions.ts'
import { SHARED } from './shared-descriptions.ts'

/** Names that enclose a field, from the outermost: the group and the operation, or the title of a schema, then property names. */
export type Scope = readonly string[]

const PAGES = 'settingsPages'

/** Schemas and groups that use the descriptions of another one. */
const LIKE: Readonly<Record<string, string>> = {
  ScheduledPost: 'Feed',
  EmbeddedComment: 'Comment',
  CommentInFeed: 'Comment',
  CourseDetail: 'Course',
  LessonWithQuiz: 'Lesson',
  ReactionWithProfile: 'Reaction',
  BookmarkWithFeed: 'Bookmark',
  Member: 'Xprofile',
  ActiveXprofile: 'Xprofile',
  SessionUser: 'Xprofile',
  EnrolledStudent: 'Xprofile',
  SpaceMember: 'membership',
  moderation: 'Report',
  webhooks: 'Webhook',
  settings: PAGES,
  GeneralPage: PAGES,
  EmailPage: PAGES,
  WelcomeBanner: PAGES,
  WelcomeBannerPage: PAGES,
  MenuPage: PAGES,
  CustomizationPage: PAGES,
}

/** The names to look up, from the innermost: with its parent, alone, and the schema it is like. */
const namesOf = function* (scope: Scope): Generator<string> {
  for (let i = scope.length - 1; i >= 0; i--) {
    const name = scope[i] as string
    if (i > 0) yield `${scope[i - 1]}.${name}`
    yield name
    const like = LIKE[name]
    if (like) yield like
  }
}

const own = <V>(table: Readonly<Record<string, V>>, key: string): V | undefined => (Object.hasOwn(table, key) ? table[key] : undefined)

const thingOf = (scope: Scope): string => {
  for (const name of namesOf(scope)) {
    const thing = own(THINGS, name)
    if (thing) return thing
  }
  return 'object'
}

/** The description of a field whose schema has none; undefined if it is not known. */
export const describe = (field: string, scope: Scope): string | undefined => {
  for (const name of namesOf(scope)) {
    const text = own(SCHEMA_DESCRIPTIONS, name)?.[field] ?? own(OPERATION_DESCRIPTIONS, name)?.[field]
    if (text) return text
  }
  return own(SHARED, field)?.replaceAll('{thing}', thingOf(scope))
}
