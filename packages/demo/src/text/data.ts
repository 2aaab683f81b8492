import arabicTopics from '../../data/ar/topics.json' with { type: 'json' }
import arabic from '../../data/ar/voice.json' with { type: 'json' }
import germanTopics from '../../data/de/topics.json' with { type: 'json' }
import german from '../../data/de/voice.json' with { type: 'json' }
import bioWords from '../../data/en/bio-words.json' with { type: 'json' }
import astronomy from '../../data/en/topics/astronomy.json' with { type: 'json' }
import boardgames from '../../data/en/topics/boardgames.json' with { type: 'json' }
import books from '../../data/en/topics/books.json' with { type: 'json' }
import career from '../../data/en/topics/career.json' with { type: 'json' }
import cooking from '../../data/en/topics/cooking.json' with { type: 'json' }
import cycling from '../../data/en/topics/cycling.json' with { type: 'json' }
import gardening from '../../data/en/topics/gardening.json' with { type: 'json' }
import hiking from '../../data/en/topics/hiking.json' with { type: 'json' }
import languages from '../../data/en/topics/languages.json' with { type: 'json' }
import lounge from '../../data/en/topics/lounge.json' with { type: 'json' }
import music from '../../data/en/topics/music.json' with { type: 'json' }
import opensource from '../../data/en/topics/opensource.json' with { type: 'json' }
import parenting from '../../data/en/topics/parenting.json' with { type: 'json' }
import photography from '../../data/en/topics/photography.json' with { type: 'json' }
import running from '../../data/en/topics/running.json' with { type: 'json' }
import startups from '../../data/en/topics/startups.json' with { type: 'json' }
import typescript from '../../data/en/topics/typescript.json' with { type: 'json' }
import woodworking from '../../data/en/topics/woodworking.json' with { type: 'json' }
import english from '../../data/en/voice.json' with { type: 'json' }
import spanishTopics from '../../data/es/topics.json' with { type: 'json' }
import spanish from '../../data/es/voice.json' with { type: 'json' }
import frenchTopics from '../../data/fr/topics.json' with { type: 'json' }
import french from '../../data/fr/voice.json' with { type: 'json' }
import hindiTopics from '../../data/hi/topics.json' with { type: 'json' }
import hindi from '../../data/hi/voice.json' with { type: 'json' }
import japaneseTopics from '../../data/ja/topics.json' with { type: 'json' }
import japanese from '../../data/ja/voice.json' with { type: 'json' }
import portugueseTopics from '../../data/pt/topics.json' with { type: 'json' }
import portuguese from '../../data/pt/voice.json' with { type: 'json' }
import russianTopics from '../../data/ru/topics.json' with { type: 'json' }
import russian from '../../data/ru/voice.json' with { type: 'json' }
import chineseTopics from '../../data/zh/topics.json' with { type: 'json' }
import chinese from '../../data/zh/voice.json' with { type: 'json' }
import type { Topic, Voice } from './types.ts'

// The compiler widens what it reads from JSON; the unit tests write with every text.

/** The order is part of a seed's result: a community that was created with it stays the same only if new texts come last. */
export const VOICES = [english, german, spanish, french, portuguese, japanese, chinese, arabic, russian, hindi] as unknown as Voice[]

export const TOPICS = [
  lounge,
  gardening,
  typescript,
  photography,
  cooking,
  running,
  boardgames,
  books,
  astronomy,
  music,
  languages,
  cycling,
  woodworking,
  startups,
  parenting,
  opensource,
  hiking,
  career,
  ...germanTopics,
  ...spanishTopics,
  ...frenchTopics,
  ...portugueseTopics,
  ...japaneseTopics,
  ...chineseTopics,
  ...arabicTopics,
  ...russianTopics,
  ...hindiTopics,
] as unknown as Topic[]

/** Words that biographies in any language may use; `hobby` is for English only. */
export const BIO_WORDS: { readonly hobby: string[] } & Record<string, string[]> = bioWords
