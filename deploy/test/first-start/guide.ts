import { readFileSync } from 'node:fs'

/** The text of a section of a page of the guide. */
export const sectionOf = (page: string, title: string): string =>
  readFileSync(`docs/guide/${page}`, 'utf8')
    .split(/^## /m)
    .find((part) => part.startsWith(`${title}\n`)) ?? ''

/** Its code blocks, in order, also those of its lists. */
export const blocksOf = (page: string, title: string): string[] =>
  [
    ...sectionOf(page, title)
      .replace(/^ {3}/gm, '')
      .matchAll(/^```\w+\n([\s\S]*?)^```$/gm),
  ].map(([, text = '']) => text)
