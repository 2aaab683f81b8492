import { lazy } from '@lyceum/content/lazy'
import type { Certificate, Infer } from '@lyceum/contract'
import type { Brand } from '@lyceum/mail/layout'
import { type Page, pageFile } from '../../http/pages/page-file.ts'

const render = pageFile('certificate.html', "form-action 'none'")

const day = lazy(() => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }))

export const certificatePage = ({ name: community, color }: Brand, certified: Infer<typeof Certificate>): Page => {
  const { student_name: student, course_title: course, issued_at, certificate_url: url } = certified
  const date = issued_at.slice(0, 10)
  const certificate = { student, course, date, day: day().format(new Date(date)), url }
  return render({ community, color, title: `${student} · ${course}`, certificate })
}

export const unknownCertificatePage = ({ name: community, color }: Brand): Page =>
  render({ community, color, title: 'No such certificate' })
