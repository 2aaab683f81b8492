import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeHtml } from '../../mail/layout.ts'
import { PACKAGE_FOLDER } from '../../util/package-root.ts'

/** Reads an HTML file of the package. */
export const readPage = (name: string): string => readFileSync(join(PACKAGE_FOLDER, 'data/pages', name), 'utf8')

/** The source for a Content-Security-Policy that allows only the inline style or script of this page. */
export const inlineSource = (html: string, tag: 'style' | 'script'): string => {
  const text = html.slice(html.indexOf(`<${tag}>`) + tag.length + 2, html.indexOf(`</${tag}>`))
  return `'sha256-${hash('sha256', text, 'base64')}'`
}

/** Replaces the placeholders of a page, such as `{{title}}`, by escaped text. `markup` is inserted unchanged. */
export const fillPage = (html: string, texts: Readonly<Record<string, string>>, markup: Readonly<Record<string, string>> = {}): string =>
  html.replace(/\{\{(\w+)\}\}/g, (_placeholder, name: string) => markup[name] ?? escapeHtml(texts[name] ?? ''))
