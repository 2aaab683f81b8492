import { LyceumError } from '@lyceum/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Award, ChevronLeft, Copy, ExternalLink, Printer } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { communityQuery } from '../../lib/community.ts'
import { dateOf } from '../../lib/time.ts'
import back from '../../ui/back-link.module.css'
import button from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { Empty, Failure, Skeleton } from '../../ui/feedback.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { toast } from '../../ui/toasts.tsx'
import style from './certificate-page.module.css'
import { type CourseDetail, certificateQuery, courseQuery } from './queries.ts'

const route = getRouteApi('/members/courses/$slug/certificate')

const Certificate = ({ course }: { readonly course: CourseDetail }) => {
  const { t } = useTranslation('courses')
  const community = useQuery(communityQuery)
  const certificate = useQuery(certificateQuery(course.id))
  if (certificate.isPending) return <Skeleton lines={8} />
  if (certificate.error instanceof LyceumError && ['course_not_complete', 'not_enrolled'].includes(certificate.error.code))
    return (
      <Empty title={t('certificate.none')} icon={<Award />}>
        <p>{t('certificate.noneHint')}</p>
        <Link to="/courses/$slug" params={{ slug: course.slug }} className={`${button.button} ${button.primary}`}>
          {t('locked.toCourse')}
        </Link>
      </Empty>
    )
  if (certificate.isError) return <Failure error={certificate.error} onRetry={() => certificate.refetch()} />
  const { certificate_url: url, certificate_id: id, issued_at, course_title, student_name } = certificate.data
  const copy = async () => {
    await navigator.clipboard.writeText(url)
    toast(t('certificate.copied'))
  }
  return (
    <>
      <article className={style.sheet} aria-labelledby="certificate-title">
        <div className={style.frame}>
          <p className={style.site}>{community.data?.site_name}</p>
          <div className={style.middle}>
            <h2 id="certificate-title">{t('certificate.title')}</h2>
            <p>{t('certificate.certifies')}</p>
            <p className={style.name} dir="auto">
              {student_name}
            </p>
            <p>{t('certificate.completed')}</p>
            <p className={style.course} dir="auto">
              {course_title}
            </p>
          </div>
          <dl className={style.foot}>
            <div>
              <dt>{t('certificate.date')}</dt>
              <dd>{dateOf(issued_at)}</dd>
            </div>
            <div>
              <dt>{t('certificate.verifyAt')}</dt>
              <dd>{url}</dd>
            </div>
          </dl>
        </div>
      </article>
      <div className={style.acts}>
        <Button kind="primary" icon={<Printer aria-hidden="true" />} onClick={() => print()}>
          {t('certificate.print')}
        </Button>
        <Button icon={<Copy aria-hidden="true" />} onClick={copy}>
          {t('certificate.copy')}
        </Button>
        <a href={url} target="_blank" rel="noreferrer" className={`${button.button} ${button.plain}`}>
          <ExternalLink aria-hidden="true" /> {t('certificate.open')}
        </a>
      </div>
      <p className={style.hint}>{t('certificate.hint', { id })}</p>
    </>
  )
}

/** The certificate of a completed course, printable and shareable. */
export const CertificatePage = () => {
  const { t } = useTranslation('courses')
  const { slug } = route.useParams()
  const course = useQuery(courseQuery(slug))
  return (
    <div className={style.page} data-wide>
      <Link to="/courses/$slug" params={{ slug }} className={back.link}>
        <ChevronLeft aria-hidden="true" /> {course.data?.title ?? t('catalogue.title')}
      </Link>
      <PageTitle>{t('certificate.name')}</PageTitle>
      <h1 className={style.heading}>{t('certificate.name')}</h1>
      <QueryState query={course} lines={8} />
      {course.data && <Certificate course={course.data} />}
    </div>
  )
}
