import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lazy } from './lazy.ts'
import { PACKAGE_FOLDER } from './package-root.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML, between tags and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char]!)

type View = Readonly<Record<string, unknown>>
type Part = (views: readonly View[]) => string

const TAG = /(\{\{\{[\w.]+\}\}\}|\{\{[#^/>]?[\w.]+\}\})/
/** Tags of sections on lines of their own. */
const OWN_LINE = /^ {0,40}(\{\{[#^/]\w{1,40}\}\})\n/gm

const lookUp = (views: readonly View[], path: string): unknown => {
  const [name = '', ...keys] = path.split('.')
  return keys.reduce((value, key) => (value as View)[key], views.findLast((view) => Object.hasOwn(view, name))?.[name])
}

const compile = (source: string, partial: (name: string) => string): Part => {
  const tokens = source.replace(OWN_LINE, '$1').split(TAG)

  const readUntil = (end?: string): Part => {
    const parts: Part[] = []
    for (let token = tokens.shift(); token !== undefined && token !== end; token = tokens.shift()) parts.push(partOf(token))
    return (views) => parts.map((part) => part(views)).join('')
  }

  const partOf = (token: string): Part => {
    const [, sign = '', name = ''] = /^\{\{([{#^>]?)([\w.]+)\}/.exec(token) ?? []
    if (name === '') return () => token
    if (sign === '') return (views) => escapeHtml(String(lookUp(views, name) ?? ''))
    if (sign === '{') return (views) => String(lookUp(views, name) ?? '')
    if (sign === '>') return compile(partial(name), partial)
    const content = readUntil(`{{/${name}}}`)
    if (sign === '^') return (views) => (lookUp(views, name) ? '' : content(views))
    const contentFor = (views: readonly View[], value: unknown) =>
      value ? content(typeof value === 'object' ? [...views, value as View] : views) : ''
    return (views) =>
      [lookUp(views, name)]
        .flat()
        .map((value) => contentFor(views, value))
        .join('')
  }

  return readUntil()
}

/**
 * A renderer for a template among the data files of the package, in a part of the Mustache language: `{{name}}` is escaped, `{{{name}}}` must
 * be trusted HTML, `{{#name}}…{{/name}}` is a section for each value, `{{^name}}…{{/name}}` is one without a value, and `{{>name}}` is another
 * file of the folder. A missing name is looked up in the surrounding sections, so optional values
 * must be given as null.
 */
export const htmlTemplate = (path: string) => {
  const read = (file: string) => readFileSync(join(PACKAGE_FOLDER, 'data', file), 'utf8')
  const template = lazy(() => compile(read(path), (name) => read(join(dirname(path), `${name}.html`))))
  return (view: object): string => template()([view as View])
}
