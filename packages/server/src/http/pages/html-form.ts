import { hash } from 'node:crypto'
import { escapeHtml } from '../../mail/layout.ts'

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

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 26rem; margin: 10vh auto; padding: 0 1.25rem }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600 }
input { box-sizing: border-box; width: 100%; padding: .6rem .7rem; font: inherit; border: 1px solid light-dark(#767676, #8a8a8a); border-radius: 6px }
small { display: block; margin-top: .25rem; color: light-dark(#595959, #b5b5b5) }
button { margin-top: 1.5rem; padding: .65rem 1.4rem; font: inherit; font-weight: 600; color: #fff; background: #0b57d0; border: 0; border-radius: 6px; cursor: pointer }
button:disabled { opacity: .6; cursor: wait }
:focus-visible { outline: 3px solid light-dark(#0b57d0, #a8c7fa); outline-offset: 2px }
[role=alert] { color: light-dark(#b3261e, #f2b8b5); font-weight: 600 }
`

const SCRIPT = `
const form = document.querySelector('form')
const [problem, done] = document.querySelectorAll('[role]')
const token = new URLSearchParams(location.search).get('token')
form.addEventListener('submit', async event => {
  event.preventDefault()
  const button = form.querySelector('button')
  const body = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''))
  if (token) body.token = token
  problem.textContent = ''
  button.disabled = true
  try {
    const response = await fetch(form.dataset.operation, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    })
    if (response.ok) {
      form.hidden = true
      done.hidden = false
      history.replaceState(null, '', location.pathname)
    } else problem.textContent = (await response.json()).message
  } catch {
    problem.textContent = 'The server did not answer. Try again in a moment.'
  }
  button.disabled = false
})
`

const source = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`

/** Allows only the style and the script of this page, and requests to this server. */
export const FORM_PAGE_POLICY = [
  "default-src 'none'",
  `script-src ${source(SCRIPT)}`,
  `style-src ${source(STYLE)}`,
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const input = ({ name, label, type, autocomplete, hint, optional }: Field) => `<label for="${name}">${escapeHtml(label)}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${optional ? '' : ' required'}${hint ? ` aria-describedby="${name}-hint"` : ''}>${
  hint ? `\n<small id="${name}-hint">${escapeHtml(hint)}</small>` : ''
}`

export const formPage = (page: FormPage, apiRoot: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Lyceum</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(page.title)}</h1>
<form method="post" data-operation="${escapeHtml(apiRoot + page.operation)}">
<p>${escapeHtml(page.intro)}</p>
${page.fields.map(input).join('\n')}
<p role="alert"></p>
<button>${escapeHtml(page.button)}</button>
</form>
<p role="status" hidden>${escapeHtml(page.done)}</p>
<noscript><p>This page needs JavaScript to send the form.</p></noscript>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`
