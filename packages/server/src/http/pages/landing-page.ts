import { fillPage, inlineSource, readPage } from './page-file.ts'

const PAGE = readPage('start.html')

/** Allows only the style of the page itself. */
export const START_PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${inlineSource(PAGE, 'style')}`,
  'img-src data:',
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** The page at `/` for browsers; `origin` is the public origin without a trailing slash. */
export const startPage = ({ apiRoot, origin }: { readonly apiRoot: string; readonly origin: string }): string =>
  fillPage(PAGE, { api_root: apiRoot, api_url: origin + apiRoot })
