import { escapeHtml } from '../../mail/layout.ts'
import { fillPage, inlineSource, readPage } from './page-file.ts'

interface Field {
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'email' | 'password'
  /** Value of `autocomplete` for browsers and password managers. */
  readonly autocomplete: string
  readonly hint?: string
  readonly optional?: true
}

/** A page with one form that posts JSON to an operation of the API, with the `token` of its own URL if there is one. */
export interface FormPage {
  readonly title: string
  readonly intro: string
  /** Path below the API root. */
  readonly operation: string
  readonly fields: readonly Field[]
  readonly button: string
  /** Text shown after success. */
  readonly done: string
}

const PAGE = readPage('form.html')

/** Allows only the style and the script of this page, and requests to this server. */
export const FORM_PAGE_POLICY = [
  "default-src 'none'",
  `script-src ${inlineSource(PAGE, 'script')}`,
  `style-src ${inlineSource(PAGE, 'style')}`,
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const input = ({ name, label, type, autocomplete, hint, optional }: Field) => `<label for="${name}">${escapeHtml(label)}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${optional ? '' : ' required'}${hint ? ` aria-describedby="${name}-hint"` : ''}>${
  hint ? `\n<small id="${name}-hint">${escapeHtml(hint)}</small>` : ''
}`

export const formPage = ({ operation, fields, ...texts }: FormPage, apiRoot: string): string =>
  fillPage(PAGE, { ...texts, operation: apiRoot + operation }, { fields: fields.map(input).join('\n') })
