import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { type CourseDetail, refreshCourse } from '../courses/queries.ts'
import style from './section-card.module.css'

/** Creates a lesson or quiz at the end of a section and opens its editor. */
export const NewLesson = ({ course, sectionId }: { readonly course: CourseDetail; readonly sectionId: number }) => {
  const { t } = useTranslation('teaching')
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const [title, setTitle] = useState('')
  const [type, setType] = useState<'lesson' | 'quiz'>('lesson')
  const make = useMutation({
    mutationFn: () => client.adminLessons.create({ course_id: course.id, section_id: sectionId, title, type }),
    onSuccess: async ({ data }) => {
      await navigate({ to: '/teaching/$slug/lessons/$lesson', params: { slug: course.slug, lesson: String(data.id) } })
      await refreshCourse()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  if (!open)
    return (
      <div>
        <Button kind="quiet" icon={<Plus aria-hidden="true" />} onClick={() => setOpen(true)}>
          {t('lesson.add')}
        </Button>
      </div>
    )
  return (
    <form className={style.form} onSubmit={submit}>
      <TextField
        label={t('field.title')}
        value={title}
        maxLength={192}
        autoFocus
        error={make.isError ? errorMessage(make.error) : undefined}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <SelectField
        label={t('lesson.kind')}
        value={type}
        onChange={(event) => setType(event.currentTarget.value === 'quiz' ? 'quiz' : 'lesson')}
      >
        <option value="lesson">{t('kind.lesson')}</option>
        <option value="quiz">{t('kind.quiz')}</option>
      </SelectField>
      <Button kind="primary" type="submit" busy={make.isPending} disabled={!title.trim()}>
        {t('lesson.create')}
      </Button>
      <Button kind="quiet" onClick={() => setOpen(false)}>
        {t('common:cancel')}
      </Button>
    </form>
  )
}
