import { describe, expect, test } from 'vitest'
import { type Evidence, isSpam, spamPoints } from './spam-score.ts'

const CALM: Evidence = { text: '', links: 0, earlier: [], recentCount: 0, newcomer: false }
const judge = (evidence: Partial<Evidence>) => isSpam(spamPoints({ ...CALM, ...evidence }))
const OFFER = 'Buy the best watches in town, cheap and fast, only this week'

describe('is spam', () => {
  test.each<[string, Partial<Evidence>]>([
    ['the fourth time the same', { text: OFFER, earlier: [OFFER, OFFER, OFFER] }],
    [
      'the same with other signs and addresses',
      { text: `${OFFER}!!! https://a.example`, earlier: [`${OFFER} https://b.example`, OFFER.toUpperCase(), `${OFFER} 123`] },
    ],
    ['addresses and hardly a word, by somebody new', { text: 'Look: https://a.example https://b.example x x', links: 4, newcomer: true }],
    ['a heap of addresses', { text: 'x '.repeat(10), links: 9 }],
    [
      'shouted, again, with addresses',
      { text: 'BUY THE BEST WATCHES IN TOWN NOW', links: 2, earlier: ['BUY THE BEST WATCHES IN TOWN NOW'] },
    ],
    ['twenty in a minute, shouted', { text: 'COME ALL AND LOOK AT MY PAGE NOW', recentCount: 25, newcomer: true }],
  ])('%s', (_name, evidence) => {
    expect(judge(evidence)).toBe(true)
  })
})

describe('is none', () => {
  test.each<[string, Partial<Evidence>]>([
    ['nothing', {}],
    ['thanks, again and again', { text: 'Thank you!', earlier: Array.from({ length: 10 }, () => 'Thank you!') }],
    ['sent twice by mistake', { text: OFFER, earlier: [OFFER] }],
    ['a shout of joy', { text: 'WE WON THE CUP, WE REALLY WON THE CUP!!!', newcomer: true }],
    ['a list of sources', { text: 'As several papers show, '.repeat(20), links: 5 }],
    ['a quick talk', { text: 'And what do you think about this one?', recentCount: 12 }],
    [
      'a question of somebody new with two links',
      {
        text: 'Which of these two would you take for a small garden in the north? I have read both pages and cannot decide, what is your experience?',
        links: 2,
        newcomer: true,
      },
    ],
    ['a long scream', { text: 'Noooooooooooooooooo' }],
    ['a chorus', { text: 'la la la la la la la la la la la la la la' }],
    [
      'numbered posts that differ in their words',
      { text: 'Lesson one is about gardens', earlier: ['Lesson two is about kitchens', 'Lesson three is about cellars'] },
    ],
  ])('%s', (_name, evidence) => {
    expect(judge(evidence)).toBe(false)
  })
})
