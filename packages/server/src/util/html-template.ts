import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type Mustache from 'mustache'
import { lazy, lazyRequire, remember } from './lazy.ts'
import { PACKAGE_FOLDER } from './package-root.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML, between tags and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char]!)

const mustache = lazyRequire<typeof Mustache>('mustache')
/** URLs stay readable, since only what HTML requires is escaped. */
const OPTIONS = { escape: (value: unknown) => escapeHtml(String(value)) }

const read = (path: string) => readFileSync(join(PACKAGE_FOLDER, 'data', path), 'utf8')

/**
 * A renderer for a Mustache template among the data files of the package; partials are files of the same folder. A missing name is looked up
 * in the surrounding sections, so optional values must be given as null.
 */
export const htmlTemplate = (path: string) => {
  const template = lazy(() => read(path))
  const partial = remember((name) => read(join(dirname(path), `${name}.html`)))
  return (view: object): string => mustache().render(template(), view, partial, OPTIONS)
}
