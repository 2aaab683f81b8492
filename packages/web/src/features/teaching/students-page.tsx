import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Ellipsis, RotateCcw, UserMinus, UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { fullDateTime, relativeTime } from '../../lib/time.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Empty } from '../../ui/feedback.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Progress } from '../../ui/progress.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import table from '../../ui/table.module.css'
import { toast } from '../../ui/toasts.tsx'
import { type CourseDetail, refreshCourse } from '../courses/queries.ts'
import { AddStudent } from './add-student.tsx'
import { type Student, studentsQuery } from './queries.ts'
import style from './teaching.module.css'
import { TeachingLayout } from './teaching-layout.tsx'

const route = getRouteApi('/members/teaching/$slug/students')

const StudentRow = ({ course, student }: { readonly course: CourseDetail; readonly student: Student }) => {
  const { t } = useTranslation('teaching')
  const [asking, setAsking] = useState<'remove' | 'reset' | null>(null)
  const { user_id, display_name: name, progress_percentage: progress } = student
  const ids = { course_id: course.id, user_id }
  const act = (work: () => Promise<unknown>, said: string) => async () => {
    await work()
    await refreshCourse()
    toast(said)
  }
  return (
    <tr>
      <td>
        <span className={style.person}>
          <Avatar name={name} src={student.avatar} size="small" />
          <Link to="/people/$username" params={{ username: student.username }}>
            {name}
          </Link>
        </span>
      </td>
      <td>
        <Progress value={progress} label={t('student.progressOf', { name })} text={t('percent', { value: progress })} />
      </td>
      <td className={style.soft} title={fullDateTime(student.enrolled_at)} data-called={t('student.enrolled')}>
        {relativeTime(student.enrolled_at)}
      </td>
      <td className={style.soft} data-called={student.last_accessed ? t('student.lastActive') : undefined}>
        {student.last_accessed ? relativeTime(student.last_accessed) : t('student.never')}
      </td>
      <td>
        <Menu
          label={t('actionsOf', { title: name })}
          trigger={<Ellipsis />}
          actions={[
            { label: t('student.reset'), icon: <RotateCcw />, onAction: () => setAsking('reset') },
            { label: t('student.remove'), icon: <UserMinus />, danger: true, onAction: () => setAsking('remove') },
          ]}
        />
        {asking === 'remove' && (
          <Confirm
            title={t('student.remove')}
            action={t('student.remove')}
            onConfirm={act(() => client.adminCourses.removeStudent(ids), t('student.removed', { name }))}
            onClose={() => setAsking(null)}
          >
            <p>{t('student.removeText', { name })}</p>
          </Confirm>
        )}
        {asking === 'reset' && (
          <Confirm
            title={t('student.reset')}
            action={t('student.reset')}
            onConfirm={act(() => client.progress.resetStudent(ids), t('student.resetDone', { name }))}
            onClose={() => setAsking(null)}
          >
            <p>{t('student.resetText', { name })}</p>
          </Confirm>
        )}
      </td>
    </tr>
  )
}

const Students = ({ course }: { readonly course: CourseDetail }) => {
  const { t } = useTranslation('teaching')
  const [search, setSearch] = useState('')
  const [adding, setAdding] = useState(false)
  const list = useInfiniteQuery(studentsQuery(course.id, search.trim()))
  const students = list.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <>
      <div className={style.seek}>
        <SearchBox label={t('student.search')} value={search} onChange={setSearch} />
        <Button icon={<UserPlus aria-hidden="true" />} onClick={() => setAdding(true)}>
          {t('student.add')}
        </Button>
      </div>
      <QueryState
        query={list}
        lines={6}
        isEmpty={students.length === 0}
        empty={<Empty title={t(search ? 'student.notFound' : 'student.none')} icon={<Users />} />}
      />
      {students.length > 0 && (
        <Card>
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">{t('student.name')}</th>
                <th scope="col">{t('student.progress')}</th>
                <th scope="col">{t('student.enrolled')}</th>
                <th scope="col">{t('student.lastActive')}</th>
                <th scope="col">
                  <span className="visually-hidden">{t('student.actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {students.map((student) => (
                <StudentRow key={student.user_id} course={course} student={student} />
              ))}
            </tbody>
          </table>
        </Card>
      )}
      <LoadMore list={list} />
      {adding && <AddStudent course={course} onClose={() => setAdding(false)} />}
    </>
  )
}

export const StudentsPage = () => {
  const { slug } = route.useParams()
  return <TeachingLayout slug={slug}>{(course) => <Students course={course} />}</TeachingLayout>
}
