import { type ContentType, type RenderOptions, render, sanitize } from '@lyceum/content'
import { unsafeParts } from '#test/html-oracle.ts'
import { writtenTree } from './trees.ts'

/** The renderer, and the sanitizer for rendered content. */
export interface Renderer {
  render(source: string, type: ContentType, options?: RenderOptions): string
  sanitize(html: string): string
}

export const OURS: Renderer = { render, sanitize }

const OPTIONS: readonly RenderOptions[] = [{}, { mentions: { has: () => true }, origin: 'https://own.example' }]

/** The problem in a rendered text, or null. */
export const troubleWith = (html: string, { sanitize: again }: Renderer = OURS): string | null => {
  const [unsafe] = unsafeParts(html)
  if (unsafe) return `holds ${unsafe}`
  if (again(html) !== html) return `becomes ${again(html)} when it is sanitised`
  try {
    writtenTree(html)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** The problem in any rendering of a source, or null. */
export const troubleOf = (source: string, type: ContentType, renderer: Renderer = OURS): string | null => {
  for (const options of OPTIONS) {
    const html = renderer.render(source, type, options)
    const trouble = troubleWith(html, renderer)
    if (trouble) return `${trouble}, as ${type}: ${html}`
    // Links that only look like mentions are not preserved.
    if (!options.mentions && renderer.render(html, 'html') !== html)
      return `${html} becomes ${renderer.render(html, 'html')} when it is rendered again`
  }
  return null
}
