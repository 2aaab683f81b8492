import type { Answers, Inputs } from '@lyceum/sdk'

type Audiences = NonNullable<NonNullable<Answers['migrations']['status']['migration']>['audiences']>
type Privacy = Audiences[number]['privacy']

/** What becomes of a space: what it is at the source, a privacy that is not wider, or nothing. */
export type SpaceChoice = 'same' | 'private' | 'secret' | 'none'

export interface KnownSpace {
  readonly id: string
  readonly title: string
  readonly privacy: Privacy
}

/** What an administrator chose besides the items; `spaces` are those that do not stay as they are. */
export interface Choices {
  readonly avatars: boolean
  readonly spaces: ReadonlyMap<string, { readonly space: KnownSpace; readonly choice: Exclude<SpaceChoice, 'same'> }>
}

export const NOTHING_CHOSEN: Choices = { avatars: true, spaces: new Map() }

/** The spaces of the last run, and those that were left out of it. */
export const knownSpaces = (audiences: Audiences, { spaces }: Choices): KnownSpace[] => {
  const found = audiences.flatMap(({ id, space, privacy, source_privacy = privacy }) =>
    id === undefined ? [] : [{ id, title: space, privacy: source_privacy }],
  )
  const ids = new Set(found.map(({ id }) => id))
  return [...found, ...[...spaces.values()].flatMap(({ space }) => (ids.has(space.id) ? [] : [space]))]
}

export const choicesFor = ({ privacy }: KnownSpace): SpaceChoice[] => [
  'same',
  ...(privacy === 'public' ? (['private', 'secret'] as const) : privacy === 'private' ? (['secret'] as const) : []),
  'none',
]

export const withChoice = (choices: Choices, space: KnownSpace, choice: SpaceChoice): Choices => {
  const spaces = new Map(choices.spaces)
  if (choice === 'same') spaces.delete(space.id)
  else spaces.set(space.id, { space, choice })
  return { ...choices, spaces }
}

/** The choices as an import takes them. */
export const inputOf = ({ avatars, spaces }: Choices): Pick<Inputs['migrations']['start'], 'options' | 'map'> => {
  const all = [...spaces].map(([id, { choice }]) => [id, choice] as const)
  const left = all.filter(([, choice]) => choice === 'none').map(([id]) => [id, null] as const)
  return {
    options: { migrate_avatars: avatars },
    ...(all.length > 0 && {
      map: { spaces: Object.fromEntries(left), privacy: Object.fromEntries(all.filter(([, choice]) => choice !== 'none')) },
    }),
  }
}
