import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import type { CourseDetail } from '../courses/queries.ts'
import { publishedCoursesQuery } from './queries.ts'
import style from './teaching.module.css'

interface Named {
  readonly id: number
  readonly title: string
}

interface Props {
  readonly course: CourseDetail
  readonly chosen: readonly Named[]
  readonly onChange: (chosen: { id: number; title: string }[]) => void
}

export const Prerequisites = ({ course, chosen, onChange }: Props) => {
  const { t } = useTranslation('teaching')
  const all = useQuery(publishedCoursesQuery()).data ?? []
  const others = all.filter(({ id }) => id !== course.id && !chosen.some((each) => each.id === id))
  const add = (id: number) => {
    const found = others.find((other) => other.id === id)
    if (found) onChange([...chosen, { id, title: found.title }])
  }
  return (
    <>
      <SelectField
        label={t('prerequisites.label')}
        hint={t('prerequisites.hint')}
        value=""
        onChange={(event) => add(Number(event.currentTarget.value))}
      >
        <option value="">{t('prerequisites.add')}</option>
        {others.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </SelectField>
      {chosen.length > 0 && (
        <ul className={style.chips}>
          {chosen.map(({ id, title }) => (
            <li key={id}>
              {title}
              <IconButton label={t('prerequisites.remove', { title })} onClick={() => onChange(chosen.filter((each) => each.id !== id))}>
                <X aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
