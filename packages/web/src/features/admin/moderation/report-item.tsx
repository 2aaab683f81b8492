import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../../lib/session.ts'
import { fullDateTime, relativeTime } from '../../../lib/time.ts'
import { pathOf } from '../../../lib/urls.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { Tag } from '../form-kit.tsx'
import { DecideDialog } from './decide-dialog.tsx'
import style from './moderation.module.css'
import type { Report } from './queries.ts'

export const ReportItem = ({ report }: { readonly report: Report }) => {
  const { t } = useTranslation('admin')
  const me = useMe()
  const [deciding, setDeciding] = useState(false)
  const { reported_user: person, reporter, content, status, action_taken } = report
  const said = [content.title, content.excerpt].filter(Boolean).join(' – ')
  return (
    <li>
      <article className={style.item} aria-label={t('reports.against', { name: person.display_name })}>
        <header className={style.who}>
          <Avatar name={person.display_name} src={person.avatar} />
          <div>
            <Link to={`/people/${person.username}` as never}>{person.display_name}</Link>
            <p className={style.soft}>
              {t(`reportObject.${report.object_type}`)} ·{' '}
              <time title={fullDateTime(report.created_at)}>{relativeTime(report.created_at)}</time>
            </p>
          </div>
          <div className={style.tags}>
            <Tag kind="warn">{t(`reportReason.${report.reason}`)}</Tag>
            {status !== 'pending' && <Tag kind={status === 'resolved' ? 'good' : 'plain'}>{t(`reportStatus.${status}`)}</Tag>}
            {action_taken !== 'none' && <Tag kind="danger">{t(`action.${action_taken}`)}</Tag>}
          </div>
        </header>
        {said && <blockquote className={style.quote}>{said}</blockquote>}
        <p>
          {reporter ? t('reports.by', { name: reporter.display_name }) : t('reports.automatic')}
          {report.description && <> {t('reports.quote', { text: report.description })}</>}
        </p>
        {report.moderator_note && <p className={style.note}>{report.moderator_note}</p>}
        <div className={style.acts}>
          {me.permissions.includes('resolve_reports') && (
            <Button kind={status === 'pending' ? 'primary' : 'plain'} onClick={() => setDeciding(true)}>
              {t(status === 'pending' ? 'reports.decide' : 'reports.decideAgain')}
            </Button>
          )}
          {content.url && (
            <Link to={pathOf(content.url) as never} className={style.open}>
              {t('queue.open')}
            </Link>
          )}
        </div>
      </article>
      {deciding && <DecideDialog report={report} onClose={() => setDeciding(false)} />}
    </li>
  )
}
