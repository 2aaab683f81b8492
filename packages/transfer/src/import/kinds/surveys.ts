import { slugify } from '@lyceum/content'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import type { Survey } from '../../../../server/src/modules/feeds/meta.ts'
import { titleOf } from './values.ts'

type Given = NonNullable<ArchiveRecord<'posts'>['survey']>

const SLUG = /^[a-zA-Z0-9_-]{1,100}$/
const MAX_OPTIONS = 20

/** The imported slug of an option. If source options share a slug, votes count for the first. */
export const optionSlug = (slug: string): string => (SLUG.test(slug) ? slug : slugify(slug, 90) || 'option')

/** The survey in API form; null if it is invalid. */
export const surveyOf = (given: Given, title: string, notes: string[]): Survey | null => {
  const taken = new Set<string>()
  const options = given.options.slice(0, MAX_OPTIONS).flatMap(({ slug, label }) => {
    const text = titleOf(label, 200)
    if (text === '') return []
    const base = optionSlug(slug)
    let free = base
    for (let number = 2; taken.has(free); number++) free = `${base}-${number}`
    taken.add(free)
    return [{ slug: free, label: text }]
  })
  if (options.length < given.options.length)
    notes.push(`${given.options.length - options.length} options of its survey were dropped: they have no text or exceed the limit`)
  if (options.length < 2) {
    notes.push('its survey was dropped: it has fewer than two options')
    return null
  }
  return {
    question: titleOf(given.question, 500) || titleOf(title, 500, '?'),
    options,
    allow_multiple: given.allow_multiple === true,
    show_results: given.show_results ?? 'always',
    ...(given.end_date && { end_date: given.end_date }),
  }
}
