import { pages } from '@lyceum/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ClipboardCheck, Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { downloadCsv } from '../../lib/csv.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { fullDateTime, relativeTime } from '../../lib/time.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/feedback.tsx'
import { SelectField } from '../../ui/field.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import table from '../../ui/table.module.css'
import { toast } from '../../ui/toasts.tsx'
import { type CourseDetail, lessonsQuery } from '../courses/queries.ts'
import { useDurationText } from '../courses/quiz/duration.ts'
import { type ResultItem, resultsQuery } from './queries.ts'
import style from './teaching.module.css'
import { TeachingLayout } from './teaching-layout.tsx'

const route = getRouteApi('/members/teaching/$slug/results')

const stateOf = ({ status, passed }: ResultItem) => (status === 'completed' ? 'waits' : passed ? 'passed' : 'failed')

const ResultRow = ({ course, item }: { readonly course: CourseDetail; readonly item: ResultItem }) => {
  const { t } = useTranslation('teaching')
  const state = stateOf(item)
  return (
    <tr>
      <td>
        <span className={style.person}>
          <Avatar name={item.xprofile.display_name} src={item.xprofile.avatar} size="small" />
          <Link to="/teaching/$slug/results/$attempt" params={{ slug: course.slug, attempt: String(item.id) }}>
            {item.xprofile.display_name}
          </Link>
        </span>
      </td>
      <td>
        {item.lesson.title} <span className={style.soft}>{t('result.attempt', { number: item.attempt_number })}</span>
      </td>
      <td>
        <span className={state === 'waits' ? style.waits : state === 'passed' ? style.passed : ''}>
          {t('percent', { value: item.score })} · {t(`result.${state}`)}
        </span>
        {item.late && ` · ${t('result.late')}`}
      </td>
      <td className={style.soft} title={fullDateTime(item.submitted_at)}>
        {relativeTime(item.submitted_at)}
      </td>
    </tr>
  )
}

const Results = ({ course }: { readonly course: CourseDetail }) => {
  const { t } = useTranslation('teaching')
  const span = useDurationText()
  const { quiz, only, page } = route.useSearch()
  const navigate = useNavigate({ from: '/teaching/$slug/results' })
  const filter = { lesson_id: quiz, status: only ?? ('all' as const) }
  const list = useQuery(resultsQuery(course.id, { ...filter, page }))
  const quizzes = (useQuery(lessonsQuery(course.id)).data ?? []).filter(({ type }) => type === 'quiz')
  const csv = useMutation({
    mutationFn: async () => {
      const rows: (string | number)[][] = []
      for await (const { quiz_results } of pages(client.adminQuizzes.list, { course_id: course.id, per_page: 100, ...filter }))
        for (const item of quiz_results)
          rows.push([
            item.xprofile.display_name,
            item.xprofile.username,
            item.lesson.title,
            item.attempt_number,
            item.score,
            stateOf(item),
            item.correct_answers,
            item.total_questions,
            item.time_spent,
            item.late ? 1 : 0,
            item.submitted_at,
          ])
      downloadCsv(`${course.slug}-results.csv`, [
        ['name', 'username', 'quiz', 'attempt', 'score', 'state', 'right', 'questions', 'seconds', 'late', 'submitted_at_utc'],
        ...rows,
      ])
    },
    onError: (error) => toast(errorMessage(error), 'failed'),
  })
  if (!list.data) return <QueryState query={list} lines={8} />
  const { quiz_results: items, statistics: figures, pagination } = list.data
  const shown = [
    [t('result.total'), String(figures.total_submissions)],
    [t('result.passed'), String(figures.passed)],
    [t('result.failed'), String(figures.failed)],
    [t('result.average'), t('percent', { value: Math.round(figures.average_score) })],
    [t('result.time'), figures.average_time > 0 ? span(Math.round(figures.average_time)) : '–'],
  ]
  return (
    <>
      <div className={style.filters}>
        <SelectField
          label={t('result.quiz')}
          value={quiz ?? ''}
          onChange={(event) => navigate({ search: { quiz: Number(event.currentTarget.value) || undefined, only }, replace: true })}
        >
          <option value="">{t('result.allQuizzes')}</option>
          {quizzes.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('result.state')}
          value={only ?? ''}
          onChange={(event) => navigate({ search: { quiz, only: (event.currentTarget.value || undefined) as typeof only }, replace: true })}
        >
          <option value="">{t('result.all')}</option>
          <option value="passed">{t('result.passed')}</option>
          <option value="failed">{t('result.notPassed')}</option>
        </SelectField>
        <Button icon={<Download aria-hidden="true" />} busy={csv.isPending} disabled={items.length === 0} onClick={() => csv.mutate()}>
          {t('result.csv')}
        </Button>
      </div>
      <dl className={style.figures}>
        {shown.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {items.length === 0 ? (
        <Empty title={t('result.none')} icon={<ClipboardCheck />} />
      ) : (
        <Card>
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">{t('student.name')}</th>
                <th scope="col">{t('result.quiz')}</th>
                <th scope="col">{t('result.score')}</th>
                <th scope="col">{t('result.when')}</th>
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <ResultRow key={item.id} course={course} item={item} />
              ))}
            </tbody>
          </table>
        </Card>
      )}
      {pagination.total_pages > 1 && (
        <nav className={style.acts} aria-label={t('result.pages')}>
          <Button
            disabled={pagination.current_page <= 1}
            onClick={() => navigate({ search: { quiz, only, page: pagination.current_page - 1 } })}
          >
            {t('result.previous')}
          </Button>
          <span>{t('result.page', { page: pagination.current_page, total: pagination.total_pages })}</span>
          <Button
            disabled={pagination.current_page >= pagination.total_pages}
            onClick={() => navigate({ search: { quiz, only, page: pagination.current_page + 1 } })}
          >
            {t('result.next')}
          </Button>
        </nav>
      )}
    </>
  )
}

/** Quiz submissions of a course. */
export const ResultsPage = () => {
  const { slug } = route.useParams()
  return <TeachingLayout slug={slug}>{(course) => <Results course={course} />}</TeachingLayout>
}
