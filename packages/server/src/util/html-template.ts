import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderTemplate } from '@lyceum/content'
import { lazy } from '@lyceum/content/lazy'
import { PACKAGE_FOLDER } from './package-root.ts'

/** A renderer for a Mustache template among the data files of the package. Optional values must be given as null. */
export const htmlTemplate = (path: string) => {
  const template = lazy(() => readFileSync(join(PACKAGE_FOLDER, 'data', path), 'utf8'))
  return (view: object): string => renderTemplate(template(), view)
}
