import { type ActorName, asWritten, type Rights, rightsOf, SHUT_OUT } from './rights.ts'
import { PRIVACIES, sees } from './rules.ts'
import type { ObjectStage, Thing } from './stage.ts'

/** A list, and the ids a person finds in it. */
interface List {
  readonly name: string
  readonly path: string
  ids(body: never): readonly number[]
  /** The id of a thing that the list contains. */
  readonly of: 'feed_id' | 'comment_id' | 'media_id'
  readonly things: readonly Thing[]
}

type Rows = readonly { readonly id: number }[]
const idsOf = (rows: Rows | undefined): number[] => (rows ?? []).map(({ id }) => id)

/** Every list that may contain the objects of the stage, with all its pages. */
const listsOf = ({ authors, spaces, things }: ObjectStage): List[] => {
  const feeds = (name: string, query: string, which: (thing: Thing) => boolean): List => ({
    name: `feeds ${name}`,
    path: `/feeds?per_page=100&${query}`,
    ids: (body: { feeds: { data: Rows } }) => idsOf(body.feeds.data),
    of: 'feed_id',
    things: things.filter(which),
  })
  return [
    feeds('found by a word', 'search=question', () => true),
    ...Object.entries(spaces).map(([place, { slug }]) => feeds(`in ${place}`, `space=${slug}`, (thing) => thing.place === place)),
    ...PRIVACIES.flatMap((profile) => {
      const { id, username } = authors[profile]
      const his = things.filter((thing) => thing.profile === profile)
      const path = `/profile/${username}`
      return [
        feeds(`of the author with a ${profile} profile`, `user_id=${id}`, (thing) => thing.profile === profile),
        {
          name: `comments of the author with a ${profile} profile`,
          path: `${path}/comments?per_page=100`,
          ids: (body: { comments: { data: Rows } }) => idsOf(body.comments.data),
          of: 'comment_id' as const,
          things: his,
        },
        {
          name: `files of the author with a ${profile} profile`,
          path: `${path}/media?per_page=100`,
          ids: (body: { data: Rows }) => idsOf(body.data),
          of: 'media_id' as const,
          things: his,
        },
      ]
    }),
  ]
}

/** Lists contain the published objects that the person can see. */
const wanted = ({ things, of }: List, actor: ActorName, table: Rights): number[] =>
  things
    .filter((thing) => thing.status === 'published' && sees(false, rightsOf(actor, thing.place, table), thing))
    .map((thing) => thing[of])

const sorted = (ids: readonly number[]): string => [...ids].sort((a, b) => a - b).join()

/** Requests each list as each actor and reports the differences from the tables. */
export const lookThrough = async (stage: ObjectStage, actors: readonly ActorName[], table: Rights = asWritten) => {
  const differences: string[] = []
  let asked = 0
  const { pathname } = new URL(stage.world.base)
  for (const actor of actors.filter((name) => !SHUT_OUT[name] && name !== 'author'))
    for (const list of listsOf(stage)) {
      const url = `${pathname}${list.path}`
      const answer = await stage.world.app.http.inject({ method: 'GET', url, headers: { ...stage.headersOf(actor, 'public') } })
      const found = sorted(answer.statusCode === 200 ? list.ids(JSON.parse(answer.body) as never) : [])
      asked += 1
      if (found !== sorted(wanted(list, actor, table)))
        differences.push(`${actor}: ${list.name}: expected ${sorted(wanted(list, actor, table))}, found ${found}`)
    }
  return { asked, differences }
}

/** Whether each actor finds each space in the list of spaces as the tables say: a secret one only if they can read it. */
export const lookForSpaces = async ({ world, spaces, headersOf }: ObjectStage, actors: readonly ActorName[]): Promise<string[]> => {
  const differences: string[] = []
  for (const actor of actors.filter((name) => !SHUT_OUT[name])) {
    const url = `${new URL(world.base).pathname}/spaces?per_page=100`
    const { body } = await world.app.http.inject({ method: 'GET', url, headers: { ...headersOf(actor, 'public') } })
    for (const [place, { id }] of Object.entries(spaces)) {
      const isThere = new RegExp(`"id":${id},`).test(body)
      if (isThere !== (place !== 'secret' || rightsOf(actor, place).has('read'))) differences.push(`${actor}: the ${place} space`)
    }
  }
  return differences
}
