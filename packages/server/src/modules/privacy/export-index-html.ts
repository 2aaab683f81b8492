import { escapeHtml } from '@lyceum/content'
import type { Row, Section } from './export-sections.ts'

export interface Summary {
  readonly account: Row
  readonly now: string
  readonly origin: string
  readonly sections: readonly Section[]
  readonly counts: ReadonlyMap<string, number>
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#1e293b}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #e2e8f0;vertical-align:top}
th{white-space:nowrap}td:last-child{text-align:right}dt{font-weight:600}dd{margin:0 0 .6rem;overflow-wrap:anywhere}`

const text = (value: unknown) => escapeHtml(typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''))

export const indexPage = ({ account, now, origin, sections, counts }: Summary): string => {
  const facts = Object.entries(account).filter(([, value]) => value !== '' && value !== null)
  const rows = sections.map(
    ({ file, about }) =>
      `<tr><th><a href="${file}.json">${file}.json</a></th><td>${escapeHtml(about)}</td><td>${counts.get(file) ?? 0}</td></tr>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Your data</title><style>${STYLE}</style></head>
<body><h1>Data of ${text(account['display_name'])}</h1>
<p>What is stored at ${text(origin)} about the account “${text(account['username'])}”, as of ${text(now)} UTC.</p>
<h2>Profile</h2><dl>${facts.map(([name, value]) => `<dt>${escapeHtml(name.replaceAll('_', ' '))}</dt><dd>${text(value)}</dd>`).join('')}</dl>
<h2>Files</h2><table><tbody>${rows.join('\n')}
<tr><th>files/</th><td>Files that you uploaded</td><td>${counts.get('media') ?? 0}</td></tr></tbody></table>
<p>All times are UTC. What others wrote, and what you can no longer see, is named by its id alone.</p></body></html>
`
}

export const readMe = ({ account, now, origin, sections, counts }: Summary): string =>
  [
    `What is stored at ${origin} about the account "${String(account['username'])}", as of ${now} UTC.`,
    'Open index.html in a browser, or read the files with any program that knows JSON.',
    '',
    'profile.json: the account and its profile',
    ...sections.map(({ file, about }) => `${file}.json: ${about} (${counts.get(file) ?? 0})`),
    'files/: files that you uploaded',
    '',
    'All times are UTC. What others wrote, and what you can no longer see, is named by its id alone.',
    '',
  ].join('\n')
