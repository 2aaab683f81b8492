import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type Mustache from 'mustache'
import { lazy, lazyRequire } from './lazy.ts'
import { PACKAGE_FOLDER } from './package-root.ts'

const mustache = lazyRequire<typeof Mustache>('mustache')

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML, between tags and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char]!)

/**
 * A renderer for a Mustache template among the data files of the package, read on first use. `{{name}}` is escaped; `{{{name}}}` must be
 * trusted HTML. `{{> name}}` inserts the partial of that name. A missing name is looked up in the surrounding sections, so optional values
 * must be given as null.
 */
export const htmlTemplate = (path: string, ...partials: readonly string[]) => {
  const read = (file: string) => readFileSync(join(PACKAGE_FOLDER, 'data', file), 'utf8')
  const files = lazy(() => [read(path), Object.fromEntries(partials.map((file) => [basename(file, '.html'), read(file)]))] as const)
  return (view: object): string => {
    const [template, named] = files()
    return mustache().render(template, view, named, { escape: (value) => escapeHtml(String(value)) })
  }
}
