import { hash } from 'node:crypto'
import { type Brand, escapeHtml } from '../../mail/layout.ts'

export interface Page {
  readonly html: string
  readonly policy: string
}

const styleFor = (color: string) => `
@page { size: A4 landscape; margin: 0 }
:root { color-scheme: light; --accent: ${color}; --ink: #1c1917; --soft: #57534e }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 2rem 1rem; background: #f2efe9; color: var(--ink);
  font: 1rem/1.5 Georgia, 'Iowan Old Style', 'Times New Roman', serif }
main { width: min(100%, 64rem); aspect-ratio: 297 / 210; background: #fffdf8; padding: clamp(.5rem, 1.6vw, 1.1rem); box-shadow: 0 1px 2px #0002, 0 12px 40px #0002 }
.frame { height: 100%; border: 2px solid var(--accent); outline: 1px solid var(--accent); outline-offset: -8px;
  padding: clamp(1.5rem, 5vw, 4rem) clamp(1.25rem, 6vw, 5rem); display: flex; flex-direction: column; align-items: center; justify-content: space-between; gap: 1.25rem; text-align: center }
.site { font: 600 .9rem/1.4 system-ui, sans-serif; letter-spacing: .14em; text-transform: uppercase; color: var(--soft); overflow-wrap: anywhere }
h1 { margin: 0 0 1.25rem; font-size: clamp(1.5rem, 4vw, 2.6rem); font-weight: 400; line-height: 1.15 }
p { margin: 0; color: var(--soft); font-style: italic }
.name { margin: .35rem 0 .6rem; font-size: clamp(1.6rem, 5vw, 3.2rem); line-height: 1.15; color: var(--ink); font-style: normal; overflow-wrap: anywhere }
.name::after { content: ''; display: block; width: min(16rem, 60%); margin: .8rem auto 0; border-top: 1px solid #a8a29e }
.course { margin-top: .35rem; font-size: clamp(1.1rem, 2.6vw, 1.6rem); line-height: 1.3; color: var(--ink); font-style: normal; font-weight: 700; overflow-wrap: anywhere }
dl { margin: 0; width: 100%; display: flex; flex-wrap: wrap; justify-content: space-between; gap: .75rem 2rem; font: .875rem/1.4 system-ui, sans-serif }
dl div { text-align: start; min-width: 0 }
dt { color: var(--soft) }
dd { margin: 0; overflow-wrap: anywhere }
.note { max-width: 32rem; text-align: center }
.note h1 { margin: 0 0 .75rem }
@media (max-width: 40rem) { main { aspect-ratio: auto; min-height: 34rem; display: grid } .frame { height: auto } }
@media print {
  body { display: block; padding: 0; background: none }
  main { width: 297mm; height: 210mm; aspect-ratio: auto; min-height: 0; display: block; box-shadow: none; padding: 10mm; print-color-adjust: exact; -webkit-print-color-adjust: exact }
  .frame { height: 100%; padding: 18mm 24mm }
}
`

const page = (color: string, title: string, content: string): Page => {
  const style = styleFor(color)
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${content}
</body>
</html>
`,
    policy: `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  }
}

interface CertificateContent {
  readonly student_name: string
  readonly course_title: string
  readonly issued_at: string
  readonly certificate_url: string
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']

/** Formats a stored datetime, e.g. “10 March 2026”. */
const dayOf = (datetime: string): string => {
  const [year, month, day] = datetime.slice(0, 10).split('-').map(Number)
  return `${day} ${MONTHS[(month ?? 1) - 1]} ${year}`
}

export const certificatePage = ({ name, color }: Brand, certified: CertificateContent): Page => {
  const { student_name, course_title, issued_at, certificate_url } = certified
  return page(
    color,
    `${student_name} · ${course_title} · ${name}`,
    `<main>
<div class="frame">
<div class="site" dir="auto">${escapeHtml(name)}</div>
<div>
<h1>Certificate of completion</h1>
<p>This is to certify that</p>
<div class="name" dir="auto">${escapeHtml(student_name)}</div>
<p>has completed the course</p>
<div class="course" dir="auto">${escapeHtml(course_title)}</div>
</div>
<dl>
<div><dt>Date</dt><dd><time datetime="${escapeHtml(issued_at.slice(0, 10))}">${escapeHtml(dayOf(issued_at))}</time></dd></div>
<div><dt>Check it at</dt><dd>${escapeHtml(certificate_url)}</dd></div>
</dl>
</div>
</main>`,
  )
}

export const unknownCertificatePage = ({ name, color }: Brand): Page =>
  page(
    color,
    `No such certificate · ${name}`,
    `<div class="note">
<h1>There is no such certificate</h1>
<p>The address may have been copied only in part, or the certificate is no longer valid.</p>
</div>`,
  )
