import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { toDate } from '../../lib/time.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { type CourseDetail, refreshCourse } from '../courses/queries.ts'
import type { Section } from './queries.ts'
import style from './teaching.module.css'

const two = (n: number) => String(n).padStart(2, '0')
/** Converts between an API timestamp and a `datetime-local` value. */
const toField = (text: string | null): string => {
  if (!text) return ''
  const at = toDate(text)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}
const fromField = (text: string): string | null => (text ? new Date(text).toISOString().slice(0, 19).replace('T', ' ') : null)

const STATUSES = ['published', 'draft', 'archived'] as const

interface Props {
  readonly course: CourseDetail
  readonly section: Section
  readonly onClose: () => void
}

/** Edits name, status and opening date of a section. */
export const SectionDialog = ({ course, section, onClose }: Props) => {
  const { t } = useTranslation('teaching')
  const [title, setTitle] = useState(section.title)
  const [status, setStatus] = useState(section.status)
  const [days, setDays] = useState(String(section.days_after))
  const [date, setDate] = useState(toField(section.scheduled_at))
  const save = useMutation({
    mutationFn: () =>
      client.courseSections.patch({
        course_id: course.id,
        section_id: section.id,
        title,
        status,
        ...(course.course_type === 'structured' && { days_after: Number(days) || 0 }),
        ...(course.course_type === 'scheduled' && { scheduled_at: fromField(date) }),
      }),
    onSuccess: async () => {
      await refreshCourse()
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Dialog title={t('section.edit')} onClose={onClose}>
      <form className={style.form} onSubmit={submit}>
        <TextField
          label={t('field.title')}
          value={title}
          maxLength={194}
          required
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <SelectField label={t('field.status')} value={status} onChange={(event) => setStatus(event.currentTarget.value as typeof status)}>
          {STATUSES.map((each) => (
            <option key={each} value={each}>
              {t(`status.${each}`)}
            </option>
          ))}
        </SelectField>
        {course.course_type === 'structured' && (
          <TextField
            label={t('section.days')}
            type="number"
            min={0}
            max={3650}
            value={days}
            onChange={(event) => setDays(event.currentTarget.value)}
          />
        )}
        {course.course_type === 'scheduled' && (
          <TextField
            label={t('section.opens')}
            type="datetime-local"
            value={date}
            onChange={(event) => setDate(event.currentTarget.value)}
          />
        )}
        {course.course_type === 'self_paced' && <p className={style.soft}>{t('section.availableNow')}</p>}
        {save.isError && <ErrorMessage>{errorMessage(save.error)}</ErrorMessage>}
        <div className={style.end}>
          <Button kind="quiet" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button kind="primary" type="submit" busy={save.isPending}>
            {t('common:save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
