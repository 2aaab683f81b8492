import type Mustache from 'mustache'
import { lazyRequire } from './lazy.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML, between tags and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char]!)

const mustache = lazyRequire<typeof Mustache>('mustache')
/** URLs stay readable, since only what HTML requires is escaped. */
const OPTIONS = { escape: (value: unknown) => escapeHtml(String(value)) }

/** Renders a Mustache template. A missing name is looked up in the surrounding sections, so optional values must be given as null. */
export const renderTemplate = (template: string, view: object, partials: Readonly<Record<string, string>> = {}): string =>
  mustache().render(template, view, partials, OPTIONS)
