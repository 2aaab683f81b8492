import { api, type Route } from '@lyceum/contract'
import { BODIES, fill, makeScene, type Scene } from '#test/valid-bodies.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { TEXT_FIELDS, type TextField } from '../ssrf/fields.ts'

/** Operations that cannot be tested: they show nothing of their input, or remove what others depend on. */
const LEFT_OUT: readonly RegExp[] = [
  // Credentials and tokens, which are never shown.
  /^auth\.(?!register$)/,
  /^account\.(?!createApplicationPassword$)/,
  /^privacy\./,
  /^push\./,
  /^settingsPages\.(?:testStorage|saveStorage)$/,
  /^settings\.reset$/,
  // Files: their names are tested separately.
  /^media\.upload$/,
]
/** Settings come last, because some of them affect all other responses. */
const LATE = /^(?:settings|settingsPages|moderation|leaderboardLevels|managers)\./
/** Settings pages also accept their fields inside an object of this name. */
const WRAPPERS = new Set(['settings', 'email_settings', 'texts', 'menuSettings', 'snippets'])

/** Fields of objects that the contract leaves open but the server uses. */
const META = ['survey.question', 'survey.options.0.label', 'gif.title', 'media_items.0.title', 'media_items.0.alt', 'media_items.0.url']
const PREVIEW = ['preview.title', 'preview.description', 'preview.provider', 'preview.author_name', 'preview.url', 'preview.image', 'note']
const OPEN: readonly (readonly [id: string, paths: readonly string[]])[] = [
  ['feeds.create', [...META, ...PREVIEW].map((path) => `meta.${path}`)],
  ['feeds.update', [...META, ...PREVIEW].map((path) => `meta.${path}`)],
  ['comments.create', ['meta.gif.title', 'meta.media_items.0.title', 'meta.note']],
  ['comments.update', ['meta.gif.title', 'meta.media_items.0.title', 'meta.note']],
]

const address = 'https://e.example/'
const meta = {
  survey: {
    question: 'Q',
    options: [
      { slug: 'a', label: 'A' },
      { slug: 'b', label: 'B' },
    ],
  },
  gif: { url: address },
  media_items: [{ url: address }],
  preview: { url: address },
}
const options = [
  { id: 'a', text: 'A', is_correct: true },
  { id: 'b', text: 'B' },
]
const quiz = { questions: [{ id: 'q', type: 'multiple_choice', question: 'Q?', explanation: 'E', options }] }

/** Valid bodies around the tested fields; `n` differs for each request. */
const BASES: Readonly<Record<string, (n: number) => object>> = {
  'feeds.create': () => ({ message: 'Text', meta }),
  'feeds.update': () => ({ meta }),
  'comments.create': () => ({ comment: 'Text', meta: { gif: meta.gif, media_items: meta.media_items } }),
  'comments.update': () => ({ comment: 'Text', meta: { gif: meta.gif, media_items: meta.media_items } }),
  'lessons.update quiz': () => ({ quiz }),
  'auth.register': (n) => ({ username: `new${n}`, email: `new${n}@example.net`, password: 'Quiet-river-7431' }),
  'adminTopics.create': (n) => ({ title: `Topic ${n}` }),
  'topics.create': (n) => ({ title: `Topic ${n}` }),
  'spaces.create': (n) => ({ title: `Space ${n}` }),
  'spaceGroups.create': (n) => ({ title: `Group ${n}` }),
  'account.createApplicationPassword': (n) => ({ name: `Program ${n}` }),
}

/** Where a created object can be read. */
const MADE: Readonly<Record<string, (id: number, scene: Scene) => string>> = {
  'feeds.create': (id) => `/feeds/${id}/by-id`,
  'comments.create': (id) => `/comments/${id}`,
  'spaces.create': (id) => `/spaces/${id}/by-id`,
  'courses.create': (id) => `/courses/${id}`,
  'courseSections.create': (id, { school }) => `/admin/courses/${school.courseId}/sections/${id}`,
}
const HAS_FORMATS = new Set(['feeds.create', 'feeds.update', 'comments.create', 'comments.update'])
/** The message formats; any other format is treated as text. */
export const FORMATS = ['text', 'markdown', 'html'] as const

/** A community with one object of each kind, and the operations that accept text. */
export interface Stage {
  readonly world: World
  readonly admin: Member
  readonly author: Member
  readonly scene: Scene
  readonly operations: readonly Operation[]
  /** All read endpoints. */
  readonly reading: readonly string[]
}

export interface Operation {
  readonly name: string
  readonly route: Route
  readonly path: string
  readonly fields: readonly TextField[]
  readonly formats: readonly (string | null)[]
  base(n: number): object
  /** Where the object created by a response can be read. */
  made(answer: unknown): string | null
}

const ROUTES = Object.entries(api).flatMap(([group, routes]) =>
  Object.entries(routes).map(([name, route]) => ({ id: `${group}.${name}`, route: route as Route })),
)

const fieldsOf = (id: string, route: Route): TextField[] => {
  const wrapped = id.startsWith('settingsPages.')
  // With another slug the object could not be found any more; slugs contain only letters, digits and hyphens.
  const renames = !id.endsWith('.create')
  const named = TEXT_FIELDS.filter(({ id: of, place, path }) => {
    if (of !== id || place !== 'body' || path[0] === 'meta') return false
    return !(wrapped && WRAPPERS.has(String(path[0]))) && !(renames && path.length === 1 && path[0] === 'slug')
  })
  const open = OPEN.filter(([of]) => of === id).flatMap(([, paths]) => paths)
  const more = open.map((path): TextField => {
    const names = path.split('.').map((name) => (name === '0' ? 0 : name))
    return { id, route, place: 'body', path: names }
  })
  return [...named, ...more]
}

const idIn = (answer: unknown): number | undefined => {
  const { id, data, space } = (answer ?? {}) as { id?: number; data?: { id?: number }; space?: { id?: number } }
  return data?.id ?? id ?? space?.id
}

export const operationsOn = (scene: Scene, admin: Member, own: Record<string, string | number>): Operation[] =>
  ROUTES.filter(({ id, route }) => route.method !== 'GET' && !LEFT_OUT.some((pattern) => pattern.test(id)))
    .flatMap(({ id, route }) => {
      const fields = fieldsOf(id, route)
      const isQuiz = ({ path }: TextField) => id === 'lessons.update' && path[0] === 'quiz'
      const about = (quizzes: boolean): Operation => {
        const name = quizzes ? `${id} quiz` : id
        const place = quizzes ? { ...own, course_id: scene.quiz.course_id, lesson_id: scene.quiz.lesson_id } : own
        return {
          name,
          route,
          path: fill(route.path, scene, place),
          fields: fields.filter((field) => isQuiz(field) === quizzes),
          formats: HAS_FORMATS.has(id) ? FORMATS : [null],
          base: (n) => BASES[name]?.(n) ?? BODIES[id]?.(scene, admin) ?? {},
          made: (answer) => {
            const made = idIn(answer)
            return made === undefined ? null : (MADE[id]?.(made, scene) ?? null)
          },
        }
      }
      return [about(false), about(true)].filter((operation) => operation.fields.length > 0)
    })
    .sort((a, b) => Number(LATE.test(a.name)) - Number(LATE.test(b.name)))

/** Every read endpoint, with the objects of the scene. */
export const readingIn = (scene: Scene, own: Record<string, string | number>): string[] =>
  ROUTES.filter(({ route }) => route.method === 'GET' && route.produces !== 'events').map(({ route }) => {
    const { properties = {}, required = [] } = (route.query ?? {}) as { properties?: object; required?: string[] }
    const query = new URLSearchParams(required.map((name): [string, string] => [name, name.startsWith('date_') ? '2026-03-10' : 'probe']))
    if ('per_page' in properties) query.set('per_page', '100')
    return `${fill(route.path, scene, own)}${query.size > 0 ? `?${query}` : ''}`
  })

/** The route of a path. */
export const routeAt = (method: string, address: string): Route | undefined => {
  const path = address.split('?', 1)[0] as string
  return ROUTES.filter(
    ({ route }) => route.method === method && new RegExp(`^${route.path.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path),
  ).sort((a, b) => a.route.path.split('{').length - b.route.path.split('{').length)[0]?.route
}

export const makeStage = async (): Promise<Stage> => {
  const world = await createWorld()
  const admin = await world.member({ role: 'admin' })
  const [author, member, other, spaceModerator, spaceAdmin] = (await Promise.all(Array.from({ length: 5 }, () => world.member()))) as [
    Member,
    Member,
    Member,
    Member,
    Member,
  ]
  const scene = await makeScene(world, { author, member, other, spaceModerator, spaceAdmin, administrator: admin, password: 1 })
  const { id: webhook_id } = await admin.api.webhooks.create({ name: 'Hook', url: 'https://93.184.215.14/', events: ['feed.deleted'] })
  const { id: report_id } = await other.api.moderation.report({ object_id: scene.feed, object_type: 'feed', reason: 'spam' })
  const { data: feed } = await admin.api.feeds.byId({ feed_id: scene.feed })
  const own = {
    webhook_id,
    report_id,
    feed_slug: feed.slug,
    option_slug: 'a',
    key: 'site_name',
    code: '0'.repeat(32),
  }
  return {
    world,
    admin,
    author,
    scene,
    operations: operationsOn(scene, admin, own),
    reading: [...readingIn(scene, own), `/courses/${scene.quiz.course_id}/lessons/${scene.quiz.lesson_id}`],
  }
}
