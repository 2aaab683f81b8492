import type { ArchiveRecord } from '@lyceum/contract/archive'
import type { Zone } from '../site-time.ts'
import { at, isArray, itemsAt, type PhpValue, textAt } from '../wordpress/index.ts'

type Survey = NonNullable<ArchiveRecord<'posts'>['survey']>

interface Option {
  readonly slug: string
  readonly label: string
  /** Slug at the source. If two options share a slug, its votes count for the first. */
  readonly source: string | null
}

const QUESTION_LENGTH = 500
const OPTION_LENGTH = 200

/** The options of a survey, with valid and unique slugs. */
export const optionsOf = (meta: PhpValue): readonly Option[] => {
  const taken = new Set<string>()
  const sources = new Set<string>()
  return itemsAt(meta, 'survey_config', 'options').map((option, index) => {
    const source = textAt(option, 'slug')
    let slug = /^[\w-]{1,90}$/.test(source) ? source : `option_${index + 1}`
    for (let n = 2; taken.has(slug); n++) slug = `${source.slice(0, 80)}_${n}`
    taken.add(slug)
    const isFirst = source !== '' && !sources.has(source)
    sources.add(source)
    return { slug, label: textAt(option, 'label').slice(0, OPTION_LENGTH) || `${index + 1}`, source: isFirst ? source : null }
  })
}

export const isMultiple = (meta: PhpValue): boolean => /^multi/.test(textAt(meta, 'survey_config', 'type'))

/** The first line of a text, without markup. */
const firstLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^[#>*\s-]+|[*_`~]+/g, '').trim())
    .find((line) => line !== '') ?? ''

/** FluentCommunity has no separate question, so the title of the post or the beginning of its text is used. */
export const surveyOf = (meta: PhpValue, title: string, message: string, zone: Zone): Survey | null => {
  if (!isArray(at(meta, 'survey_config'))) return null
  const options = optionsOf(meta)
  if (options.length === 0) return null
  const end = zone.toUtc(textAt(meta, 'survey_config', 'end_date'))
  return {
    question: (title || firstLine(message) || '?').slice(0, QUESTION_LENGTH).toWellFormed(),
    options: options.map(({ slug, label }) => ({ slug, label })),
    allow_multiple: isMultiple(meta),
    ...(end !== null && { end_date: end }),
  }
}
