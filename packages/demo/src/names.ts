import names from '../data/names.json' with { type: 'json' }
import type { Language } from './text/types.ts'

/** Where names come from. An entry “Latin=native” is shown in its own script now and then. */
export interface Culture {
  language: Language
  /** How often, by 1000. */
  weight: number
  given: string[]
  family: string[]
  places: string[]
  /** The family name stands first in the native script. */
  familyFirst?: boolean
}

export const CULTURES = names.cultures as Culture[]

/** Parts of generated usernames. */
export const NICK_FRONT: string[] = names.nicknames.front
export const NICK_BACK: string[] = names.nicknames.back
