import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { keys } from '../../lib/query-keys.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type CourseDetail, refreshCourse } from '../courses/queries.ts'
import style from './teaching.module.css'

/** Searches for a member and enrolls them. */
export const AddStudent = ({ course, onClose }: { readonly course: CourseDetail; readonly onClose: () => void }) => {
  const { t } = useTranslation('teaching')
  const [name, setName] = useState('')
  const search = name.trim()
  const found = useQuery({
    queryKey: keys.courses.candidates(course.id, search),
    queryFn: async ({ signal }) => {
      const [people, students] = await Promise.all([
        client.members.list({ search, per_page: 8 }, { signal }),
        client.courses.students({ course_id: course.id, search, per_page: 100 }, { signal }),
      ])
      const here = new Set(students.data.map(({ user_id }) => user_id))
      return people.members.data.map((person) => ({ ...person, isHere: here.has(person.user_id) }))
    },
    enabled: search.length > 1,
    placeholderData: keepPreviousData,
  })
  const add = useMutation({
    mutationFn: (userId: number) => client.adminCourses.addStudent({ course_id: course.id, user_id: userId }),
    onSuccess: async () => {
      toast(t('student.added'))
      await refreshCourse()
    },
  })
  return (
    <Dialog title={t('student.add')} onClose={onClose}>
      <TextField
        label={t('student.searchLabel')}
        type="search"
        value={name}
        autoFocus
        error={add.isError ? errorMessage(add.error) : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ul className={style.found}>
        {search.length > 1 &&
          found.data?.map((person) => (
            <li key={person.user_id} className={style.person}>
              <Avatar name={person.display_name} src={person.avatar} />
              <span className={style.grow}>
                {person.display_name} <span className={style.soft}>@{person.username}</span>
              </span>
              {person.isHere ? (
                <span className={style.soft}>{t('student.alreadyEnrolled')}</span>
              ) : (
                <Button
                  busy={add.isPending && add.variables === person.user_id}
                  onClick={() => add.mutate(person.user_id)}
                  aria-label={t('student.addOne', { name: person.display_name })}
                >
                  {t('student.addShort')}
                </Button>
              )}
            </li>
          ))}
      </ul>
      {search.length > 1 && found.data?.length === 0 && <p className={style.soft}>{t('student.notFound')}</p>}
    </Dialog>
  )
}
